// The single-track car of headway/move/single_track.py and axles.py, function by function in C++,
// to compare speeds. Explanations stand there; a test sees to it that the results are the same.
// cpp_twin.py writes columns.h: the columns and constants of the Python, under their names.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "columns.h"

namespace {

using std::abs;
using std::max;
using std::min;

struct Turn { double cosine, sine; };
struct Motion { double vx, vy, r; };
struct Vector { double x, y; };

struct Axles {
    double front, rear, drag, resistance, front_grip, rear_grip, front_stiffness, rear_stiffness;
    bool stops;
};

struct Brakes { double front, rear, forward; };

struct Settled {
    Motion motion;
    double slipping;
    bool rolls;
};

// What is held over the four stages of a step.
struct Held {
    double lf, lr, inertia, front_lever, rear_lever;
    double front, rear, drag, resistance, front_grip, rear_grip;
    double front_steepness, rear_steepness, floor, slipping;
};

struct Step { double x, y, angle; Motion gained; };

double clip(double value, double low, double high) {
    return !(value > low) ? low : min(value, high);
}

double side_force(double forward, double left, double steepness, double floor, double grip) {
    const double z = steepness * left / max(abs(forward), floor);
    if (z >= 1) return -grip;
    if (z <= -1) return grip;
    return -grip * z * (3 - abs(z) * (3 - abs(z)));
}

double drive(const double* car, double vx, double throttle, double gear, double h) {
    const double speed = max(vx * gear, 0.0);
    const double top = gear > 0 ? car[TOP_SPEED] : car[REVERSE_SPEED];
    const double place = speed / car[DRIVE_STEP];
    const long knot = static_cast<long>(min(place, DRIVE_TABLE_SIZE - 2.0));
    const double low = car[DRIVE_TABLE + knot];
    const double force = low + min(place - knot, 1.0) * (car[DRIVE_TABLE + knot + 1] - low);
    return gear * min(throttle * force / car[MASS], max(top - speed, 0.0) / h);
}

double along(double forward, double left) {
    const double speed = std::sqrt(forward * forward + left * left);
    return speed > TINY ? abs(forward) / speed : 1.0;
}

Brakes brakes(const double* car, double brake, Motion v, Turn wheel, double front_most,
              double rear_most) {
    const double left = v.vy + car[FRONT_AXLE] * v.r;
    const double forward = wheel.cosine * v.vx + wheel.sine * left;
    if (brake == 0) return {0, 0, forward};
    const double front = front_most * along(forward, wheel.cosine * left - wheel.sine * v.vx);
    const double rear = rear_most * along(v.vx, v.vy - car[REAR_AXLE] * v.r);
    const double share = car[BRAKE_FRONT];
    return {min(share * brake, front), min((1 - share) * brake, rear), forward};
}

Axles axle_forces(const double* car, const double* controls, const double* ground, Motion v,
                  Turn wheel, double slope, double h) {
    const double per_mass = 1 / car[MASS];
    const double lf = car[FRONT_AXLE], lr = car[REAR_AXLE];
    const double per_base = 1 / (lf + lr);
    const double gear = controls[GEAR] < 0 ? -1.0 : 1.0;
    const double driven = drive(car, v.vx, clip(controls[THROTTLE], 0, 1), gear, h);
    const double brake = clip(controls[BRAKE], 0, 1) * car[BRAKE_FORCE] * per_mass;
    double way = v.vx > 0 ? 1.0 : (v.vx < 0 ? -1.0 : 0.0);

    const double air = v.vx * v.vx * per_mass;
    const double front_load = GRAVITY * lr * per_base + car[FRONT_DOWNFORCE] * air;
    const double rear_load = GRAVITY * lf * per_base + car[REAR_DOWNFORCE] * air;
    const double front_friction = car[FRONT_FRICTION] * max(ground[GRIP], 0.0);
    const double rear_friction = car[REAR_FRICTION] * max(ground[GRIP], 0.0);
    const double most = front_friction * front_load + rear_friction * rear_load;
    const double shift = clip(driven - way * brake, -most, most) * car[CG_HEIGHT] * per_base;
    const double front_grip = front_friction * max(front_load - shift, 0.0);
    const double rear_grip = rear_friction * max(rear_load + shift, 0.0);

    const double front_most = car[FRONT_GRIP_SHARE] * front_grip;
    const double rear_most = car[REAR_GRIP_SHARE] * rear_grip;
    double front = clip(car[DRIVE_FRONT] * driven, -front_most, front_most);
    double rear = clip((1 - car[DRIVE_FRONT]) * driven, -rear_most, rear_most);
    const double drag = car[DRAG] * per_mass * std::sqrt(v.vx * v.vx + v.vy * v.vy);
    const double rolling = car[ROLLING_RESISTANCE] + max(ground[ROLLING], 0.0);
    const Brakes braked = brakes(car, brake, v, wheel, front_most, rear_most);

    const double free = front * wheel.cosine + rear - drag * v.vx + slope;
    if (way == 0) way = free > 0 ? 1.0 : -1.0;
    const double needed = abs(v.vx) / h + way * free;
    const double available = braked.front * wheel.cosine + braked.rear + rolling;
    const double applied = needed >= available ? way : way * max(needed, 0.0) / available;
    front -= braked.front * (braked.forward * way >= 0 ? applied : -way);
    rear -= braked.rear * applied;
    front = clip(front, -front_most, front_most);
    rear = clip(rear, -rear_most, rear_most);
    const double front_left = std::sqrt(max(front_grip * front_grip - front * front, 0.0)) + TINY;
    const double rear_left = std::sqrt(max(rear_grip * rear_grip - rear * rear, 0.0)) + TINY;
    return {front, rear, drag, -applied * rolling, front_left, rear_left,
            car[FRONT_STIFFNESS] * front_load, car[REAR_STIFFNESS] * rear_load,
            needed <= available};
}

Turn turned(Turn from, double angle) {
    double s, c;
    if (abs(angle) < 0.2) {
        const double a = angle * angle;
        s = angle * (1 - a * (1.0 / 6 - a * (1.0 / 120 - a * (1.0 / 5040 - a * (1.0 / 362880)))));
        c = 1 - a * (0.5 - a * (1.0 / 24 - a * (1.0 / 720 - a * (1.0 / 40320 - a * (1.0 / 3628800)))));
    } else {
        s = std::sin(angle);
        c = std::cos(angle);
    }
    return {c * from.cosine - s * from.sine, c * from.sine + s * from.cosine};
}

Settled settled(const double* car, Motion v, Turn wheel, double inertia, double side_slope,
                double grip, double h) {
    const bool kinematic = car[KINEMATIC] != 0;
    const double blend = car[BLEND_SPEED];
    const double energy = v.vx * v.vx + v.vy * v.vy + inertia * v.r * v.r;
    if (energy > 9 * blend * blend && !kinematic) return {v, 1.0, false};
    const double slipping =
        kinematic ? 0.0 : 0.5 * (1 + std::tanh(4 * (std::sqrt(energy) / blend - 1)));
    const double j = wheel.sine / (wheel.cosine * (car[FRONT_AXLE] + car[REAR_AXLE]));
    const double e = car[REAR_AXLE] * j;
    const double u = (v.vx + e * v.vy + inertia * j * v.r) / (1 + e * e + inertia * j * j);
    const double dx = u - v.vx, dy = e * u - v.vy, dr = j * u - v.r;
    const double change = std::sqrt(dx * dx + dy * dy + inertia * dr * dr);
    const double most = (1 - slipping) * grip * h;
    if (change <= most || kinematic) {
        const bool rolls = kinematic || change + abs(u * u * j - side_slope) * h <= grip * h;
        return {{u, e * u, j * u}, slipping, rolls};
    }
    const double share = most / change;
    return {{v.vx + share * dx, v.vy + share * dy, v.r + share * dr}, slipping, false};
}

Motion accelerations(Motion v, Turn wheel, double rate, Vector slope, const Held& held) {
    const double cosine = wheel.cosine, sine = wheel.sine;
    const double front = held.front, rear = held.rear, drag = held.drag;
    const double left = v.vy + held.lf * v.r;
    const double side = side_force(cosine * v.vx + sine * left, cosine * left - sine * v.vx,
                                   held.front_steepness, held.floor, held.front_grip);
    const double rear_side = side_force(v.vx, v.vy - held.lr * v.r, held.rear_steepness,
                                        held.floor, held.rear_grip);
    const double ax = (v.r * v.vy + front * cosine + rear - drag * v.vx + held.resistance + slope.x)
                      - side * sine;
    const double ay = (front * sine - v.r * v.vx - drag * v.vy + slope.y) + (side * cosine + rear_side);
    const double ar = front * sine * held.front_lever +
                      (side * (cosine * held.front_lever) - rear_side * held.rear_lever);
    if (held.slipping == 1) return {ax, ay, ar};
    const double j = sine / (cosine * (held.lf + held.lr));
    const double e = held.lr * j;
    const double j_rate = rate / (cosine * cosine * (held.lf + held.lr));
    const double push = front / cosine + rear + held.resistance - drag * (v.vx + e * v.vy) +
                        slope.x + e * slope.y;
    const double u_rate = (push - v.vx * (e * held.lr + held.inertia * j) * j_rate) /
                          (1 + e * e + held.inertia * j * j);
    const double rolling = 1 - held.slipping;
    return {held.slipping * ax + rolling * u_rate,
            held.slipping * ay + rolling * (e * u_rate + held.lr * j_rate * v.vx),
            held.slipping * ar + rolling * (j * u_rate + j_rate * v.vx)};
}

Step integrated(Motion start, Turn yaw, Turn wheel, double turn, Vector slope, const Held& held,
                double h) {
    Step step = {0, 0, 0, {0, 0, 0}};
    Motion v = start, a = {0, 0, 0};
    Turn now = yaw;
    for (int stage = 0; stage < 4; ++stage) {
        const double part = stage == 3 ? h : (stage > 0 ? 0.5 * h : 0.0);
        const double weight = stage == 0 || stage == 3 ? h / 6 : h / 3;
        if (stage > 0) now = turned(yaw, part * v.r);
        if (stage == 1 || stage == 3) wheel = turned(wheel, 0.5 * turn);
        v = {start.vx + part * a.vx, start.vy + part * a.vy, start.r + part * a.r};
        a = accelerations(v, wheel, turn / h,
                          {now.cosine * slope.x + now.sine * slope.y,
                           now.cosine * slope.y - now.sine * slope.x}, held);
        step.x += weight * (now.cosine * v.vx - now.sine * v.vy);
        step.y += weight * (now.sine * v.vx + now.cosine * v.vy);
        step.angle += weight * v.r;
        step.gained.vx += weight * a.vx;
        step.gained.vy += weight * a.vy;
        step.gained.r += weight * a.r;
    }
    return step;
}

double steered(const double* state, const double* controls, const double* car, double h) {
    const double wanted = std::isnan(controls[STEERING]) ? 0.0 : controls[STEERING];
    const double most = car[STEERING_RATE] * h;
    return clip(clip(wanted, -1, 1) * car[MAX_WHEEL_ANGLE] - state[STEER], -most, most);
}

void substep(double* state, const double* controls, const double* ground, const double* car,
             double h, Turn& yaw, Turn& wheel) {
    const double turn = steered(state, controls, car, h);
    const Turn turned_wheel = turned(wheel, turn);
    state[STEER] += turn;
    const double lf = car[FRONT_AXLE], lr = car[REAR_AXLE];
    const double inertia = car[YAW_INERTIA] / car[MASS];
    const Vector slope = {ground[GRAVITY_X], ground[GRAVITY_Y]};
    const double downhill = yaw.cosine * slope.x + yaw.sine * slope.y;
    const double side_slope = yaw.cosine * slope.y - yaw.sine * slope.x;

    const Motion before = {state[VX], state[VY], state[YAW_RATE]};
    const Axles axles = axle_forces(car, controls, ground, before, wheel, downhill, h);
    const double grip = axles.front_grip + axles.rear_grip;
    const Settled start = settled(car, before, wheel, inertia, side_slope, grip, h);
    const Motion v = start.motion;
    if (axles.stops && v.vx == 0 && v.vy == 0 && v.r == 0 && abs(side_slope) <= grip) {
        wheel = turned_wheel;
        return;
    }

    const double per_inertia = 1 / inertia;
    const double fastest = axles.front_stiffness + axles.rear_stiffness +
        (lf * lf * axles.front_stiffness + lr * lr * axles.rear_stiffness) * per_inertia;
    const double left = start.rolls ? 1.0 : start.slipping;  // of the grip
    const Held held = {lf, lr, inertia, lf * per_inertia, lr * per_inertia,
                       axles.front, axles.rear, axles.drag, axles.resistance,
                       axles.front_grip * left, axles.rear_grip * left,
                       axles.front_stiffness / (3 * axles.front_grip),
                       axles.rear_stiffness / (3 * axles.rear_grip),
                       fastest * h * (1 / STABLE), start.rolls ? start.slipping : 1.0};
    const Step step = integrated(v, yaw, wheel, turn, slope, held, h);
    const bool stands = start.rolls && axles.stops;
    state[X] += step.x;
    state[Y] += step.y;
    state[YAW] += step.angle;
    state[VX] = stands ? 0.0 : v.vx + step.gained.vx;
    state[VY] = stands ? 0.0 : v.vy + step.gained.vy;
    state[YAW_RATE] = stands ? 0.0 : v.r + step.gained.r;
    yaw = turned(yaw, step.angle);
    wheel = turned_wheel;
}

}  // namespace

extern "C" void step_cars(const double* state, const double* controls, const double* ground,
                          const double* cars, std::int64_t count, double dt,
                          std::int64_t substeps, double* out) {
    const double pi = 3.141592653589793;
    const double h = dt / substeps;
    for (std::int64_t i = 0; i < count; ++i) {
        double* row = out + i * STATE_WIDTH;
        std::copy_n(state + i * STATE_WIDTH, STATE_WIDTH, row);
        Turn yaw = {std::cos(row[YAW]), std::sin(row[YAW])};
        Turn wheel = turned({1, 0}, row[STEER]);
        for (std::int64_t k = 0; k < substeps; ++k) {
            substep(row, controls + i * CONTROLS_WIDTH, ground + i * GROUND_WIDTH,
                    cars + i * CAR_WIDTH, h, yaw, wheel);
        }
        if (abs(row[YAW]) > pi) row[YAW] = std::remainder(row[YAW], 2 * pi);
    }
}
