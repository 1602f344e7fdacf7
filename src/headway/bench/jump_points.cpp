// Jump point search of headway/plan/jump_points.py and jump_scans.py, function by function in C++,
// to compare speeds. Explanations stand there; a test sees to it that the results are the same.
// jump_twin.py writes columns.h: the constants of the Python, under their names.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "columns.h"

namespace {

using std::abs;
using std::max;
using std::min;
using Long = std::int64_t;
using Word = std::uint64_t;

constexpr Word ALL = ~Word{0};
constexpr Long SINGLE = STRAIGHT, DOUBLE = DIAGONAL, NEVER = UNREACHED;

struct Jump { Long row, column, way, g; };
struct Entry { Long state, g, next; };
struct Cell { Long row, column; };
struct Planes { Long wide, high, across, along; };
struct Goal { Long row, column, stride; };
struct Steps { Long count, straight, diagonal; };

Long octile(Long row, Long column, const Goal& goal) {
    const Long high = abs(goal.row - row), wide = abs(goal.column - column);
    return SINGLE * max(high, wide) + (DOUBLE - SINGLE) * min(high, wide);
}

Long ahead(const Word* line, Long place) {
    Long word = place >> 6;
    Word found = line[word] & ((ALL - 1) << (place & 63));
    while (found == 0) found = line[++word];
    return (word << 6) + __builtin_ctzll(found);
}

Long behind(const Word* line, Long place) {
    Long word = place >> 6;
    Word found = line[word] & ((Word{1} << (place & 63)) - 1);
    while (found == 0) found = line[--word];
    return (word << 6) + 63 - __builtin_clzll(found);
}

bool is_set(const Word* line, Long place) { return line[place >> 6] >> (place & 63) & 1; }

Long scan(const Word* blocked, const Word* stops, Long place, bool forward, Long goal) {
    const Long stop = forward ? ahead(stops, place) : behind(stops, place);
    if (forward ? place < goal && goal <= stop : stop <= goal && goal < place) return goal;
    return is_set(blocked, stop) ? -1 : stop;
}

// What does not change during a search, and the jump points found from one of them.
struct Scans {
    const Word* bits;
    Planes planes;
    Goal goal;
    Jump* found;
    Long count;

    void row(Long row, Long column, Long way, Long g) {
        const Word* line = bits + row * planes.wide;
        const Word* stops = line + planes.across * (1 + way);
        const Long target = row == goal.row ? goal.column : -1;
        const Long stop = scan(line, stops, column, way == EAST, target);
        if (stop >= 0) found[count++] = {row, stop, way, g + SINGLE * abs(stop - column)};
    }

    void column(Long row, Long column, Long way, Long g) {
        const Word* line = bits + 3 * planes.across + column * planes.high;
        const Word* stops = line + planes.along * (way - 1);
        const Long target = column == goal.column ? goal.row : -1;
        const Long stop = scan(line, stops, row, way == SOUTH, target);
        if (stop >= 0) found[count++] = {stop, column, way, g + SINGLE * abs(stop - row)};
    }

    void walk(Long r, Long c, Long down, Long right, Long g, Long best) {
        const Long across = right > 0 ? EAST : WEST, along = down > 0 ? SOUTH : NORTH;
        while (true) {
            const Word* here = bits + r * planes.wide;
            const Word* there = bits + (r + down) * planes.wide;
            if (is_set(here, c + right) || is_set(there, c) || is_set(there, c + right)) return;
            r += down;
            c += right;
            g += DOUBLE;
            if (g + octile(r, c, goal) >= best) return;
            if (r == goal.row && c == goal.column) {
                found[count++] = {r, c, across, g};
                return;
            }
            row(r, c, across, g);
            column(r, c, along, g);
        }
    }

    void successors(Long r, Long c, Long way, Long g, Long best) {
        const Long forward = way == EAST || way == SOUTH ? 1 : -1;
        count = 0;
        if (way == EAST || way == WEST) {
            row(r, c, way, g);
            for (Long side = -1; side <= 1; side += 2) {
                const Word* line = bits + (r + side) * planes.wide;
                if (!is_set(line, c - forward) || is_set(line, c)) continue;
                column(r, c, side > 0 ? SOUTH : NORTH, g);
                walk(r, c, side, forward, g, best);
            }
            return;
        }
        column(r, c, way, g);
        for (Long side = -1; side <= 1; side += 2) {
            const Word* line = bits + 3 * planes.across + (c + side) * planes.high;
            if (!is_set(line, r - forward) || is_set(line, r)) continue;
            row(r, c, side > 0 ? EAST : WEST, g);
            walk(r, c, forward, side, g, best);
        }
    }

    void all_around(Long r, Long c) {
        count = 0;
        for (Long forward = 1; forward >= -1; forward -= 2) {
            const Long way = forward > 0 ? EAST : WEST;
            row(r, c, way, 0);
            column(r, c, way + SOUTH, 0);
            walk(r, c, 1, forward, 0, NEVER);
            walk(r, c, -1, forward, 0, NEVER);
        }
    }
};

// The open list: a circle of buckets.
struct Queue {
    Entry* entries;
    std::int32_t* heads;
    Word* occupied;
    Long mask, words;

    void add(Long entry, Long f, Long state, Long g) {
        const Long place = f >> SHIFT & mask;
        const Word bit = Word{1} << (place & 63);
        entries[entry] = {state, g, occupied[place >> 6] & bit ? heads[place] : -1};
        heads[place] = static_cast<std::int32_t>(entry);
        occupied[place >> 6] |= bit;
    }

    Long take(Long place) {
        const Long entry = heads[place];
        heads[place] = static_cast<std::int32_t>(entries[entry].next);
        if (heads[place] < 0) occupied[place >> 6] &= ~(Word{1} << (place & 63));
        return entry;
    }

    Long next(Long place) const {
        Long word = place >> 6;
        Word found = occupied[word] & (ALL << (place & 63));
        while (found == 0) found = occupied[word = (word + 1) & (words - 1)];
        return (word << 6) + __builtin_ctzll(found);
    }

    void clear(Long bucket, Long top) {
        const Long first = bucket >> 6, last = min((top >> 6) + 1, first + words);
        for (Long word = first; word < last; ++word) occupied[word & (words - 1)] = 0;
    }
};

Long search(Scans& scans, Long* cost, std::int32_t* link, Queue& queue, Long capacity,
            Long* numbers, Long row, Long column, Long most) {
    const Goal& goal = scans.goal;
    const Long floor = numbers[FLOOR];
    Long cell = row * goal.stride + column;
    cost[cell] = floor;
    Long bucket = octile(row, column, goal) >> SHIFT;
    Long best = NEVER, g = 0, queued = 0, entries = 0, unused = -1, top = 0;
    numbers[EXPANDED] = 1;
    scans.all_around(row, column);
    while (true) {
        if (entries + scans.count > capacity || g > most) {
            best = g <= most ? NO_ROOM : RANGE_SPENT;
            break;
        }
        for (Long i = 0; i < scans.count; ++i) {
            const Jump& jump = scans.found[i];
            const Long successor = jump.row * goal.stride + jump.column;
            g = jump.g;
            const Long f = g + octile(jump.row, jump.column, goal);
            if (g + floor >= cost[successor] || f >= best) continue;
            cost[successor] = g + floor;
            link[successor] = static_cast<std::int32_t>(cell);
            if (f == g) {
                best = g;
                continue;
            }
            const Long entry = unused >= 0 ? unused : entries;
            entries = max(entries, entry + 1);
            unused = unused >= 0 ? queue.entries[entry].next : -1;
            ++queued;
            top = max(top, f >> SHIFT);
            queue.add(entry, f, jump.row << 32 | jump.column << 2 | jump.way, g);
        }
        if (queued) bucket += (queue.next(bucket & queue.mask) - bucket) & queue.mask;
        if (queued == 0 || bucket << SHIFT >= best) break;
        const Long entry = queue.take(bucket & queue.mask);
        queue.entries[entry].next = unused;
        unused = entry;
        --queued;
        scans.count = 0;
        const Long state = queue.entries[entry].state;
        row = state >> 32;
        column = state >> 2 & COLUMN;
        cell = row * goal.stride + column;
        g = queue.entries[entry].g;
        if (g + floor == cost[cell] && g + octile(row, column, goal) < best) {
            ++numbers[EXPANDED];
            scans.successors(row, column, state & 3, g, best);
        }
    }
    queue.clear(bucket, top);
    return best;
}

Steps trace(const std::int32_t* link, const Goal& goal, Long start, Cell* cells, Long capacity) {
    const Long stride = goal.stride;
    Long straight = 0, diagonal = 0;
    for (Long cell = goal.row * stride + goal.column; cell != start; cell = link[cell]) {
        const Long before = link[cell];
        const Long high = abs(cell / stride - before / stride);
        const Long wide = abs(cell % stride - before % stride);
        straight += abs(high - wide);
        diagonal += min(high, wide);
    }
    const Long count = straight + diagonal + 1;
    if (count > capacity) return {count, straight, diagonal};
    Long place = count - 1, row = goal.row, column = goal.column;
    cells[place] = {row - 1, column - 1};
    for (Long cell = row * stride + column; cell != start;) {
        cell = link[cell];
        const Long down = cell / stride - row, right = cell % stride - column;
        const Long one_down = (down > 0) - (down < 0), one_right = (right > 0) - (right < 0);
        const Long high = abs(down), wide = abs(right);
        for (Long left = max(high, wide); left > 0; --left) {
            if (left <= high) row += one_down;
            if (left <= wide) column += one_right;
            cells[--place] = {row - 1, column - 1};
        }
    }
    return {count, straight, diagonal};
}

Long words_for(Long cells) { return (cells + 2 + 63) >> 6; }

}  // namespace

// Answers queries of flat cells, one after the other; the path of the last stays in `cells`.
extern "C" void answer_queries(
    const Word* bits, Long* cost, std::int32_t* link, Entry* entries, std::int32_t* heads,
    Word* occupied, Jump* found, Long* numbers, Cell* cells, const Long* sizes, Long rows,
    Long columns, const Long* starts, const Long* goals, Long room, Long queries, Steps* answers) {
    const Long wide = words_for(columns), high = words_for(rows), stride = columns + 2;
    const Long capacity = sizes[0], buckets = sizes[1], longest = sizes[2];
    Queue queue{entries, heads, occupied, buckets - 1, buckets >> 6};
    for (Long i = 0; i < queries; ++i) {
        const Goal goal{goals[i] / stride, goals[i] % stride, stride};
        Scans scans{bits, {wide, high, (rows + 2) * wide, stride * high}, goal, found, 0};
        if (numbers[FLOOR] < room) {
            std::fill_n(cost, (rows + 2) * stride, NEVER);
            numbers[FLOOR] = RANGE;
        }
        numbers[FLOOR] -= room;
        numbers[ROOM] = room;
        const Long best = search(scans, cost, link, queue, capacity, numbers, starts[i] / stride,
                                 starts[i] % stride, room - 2 * (rows + columns) * DOUBLE);
        if (best < 0 || best == NEVER)
            answers[i] = {min(best, Long{0}), 0, 0};
        else
            answers[i] = trace(link, goal, starts[i], cells, longest);
    }
}
