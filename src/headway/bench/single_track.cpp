// The single-track car of headway/move/single_track.py, line by line in C++, to compare speeds.
// Explanations stand there. cpp_twin.py writes columns.h: the columns and constants of the Python.

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

struct Axles {
    double front, rear, drag, resistance, front_grip, rear_grip, front_stiffness, rear_stiffness;
    bool stops;
};

struct Settled {
    Motion motion;
    double slipping;
    bool rolls;
};

// What is held over the four stages of a step.
struct Held {
    double lf, lr, inertia, front_lever, rear_lever, rate;
    double front, rear, drag, resistance, front_grip, rear_grip;
    double front_steepness, rear_steepness, floor, slipping;
};

double clip(double value, double low, double high) {
    return !(value > low) ? low : min(value, high);
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

double side_force(double forward, double left, double steepness, double floor, double grip) {
    const double z = steepness * left / max(abs(forward), floor);
    if (z >= 1) return -grip;
    if (z <= -1) return grip;
    return -grip * z * (3 - abs(z) * (3 - abs(z)));
}

double drive_force(const double* car, double vx, double throttle, double gear) {
    const double speed = max(vx * gear, 0.0);
    const double top = gear > 0 ? car[TOP_SPEED] : car[REVERSE_SPEED];
    const double place = speed / car[DRIVE_STEP];
    const long knot = min(static_cast<long>(place), DRIVE_TABLE_SIZE - 2);
    const double part = min(place - knot, 1.0);
    const double low = car[DRIVE_TABLE + knot];
    double force = low + part * (car[DRIVE_TABLE + knot + 1] - low);
    if (speed > 0.99 * top) force *= max(1 - (speed - 0.99 * top) / (0.01 * top + TINY), 0.0);
    return gear * throttle * force;
}

double along(double forward, double left) {
    const double speed = std::sqrt(forward * forward + left * left);
    return speed > TINY ? abs(forward) / speed : 1.0;
}

Axles axle_forces(const double* car, Motion v, Turn wheel, double slope, const double* controls,
                  const double* ground, double h) {
    const double per_mass = 1 / car[MASS];
    const double lf = car[FRONT_AXLE], lr = car[REAR_AXLE];
    const double per_base = 1 / (lf + lr);
    const double grip = max(ground[GRIP], 0.0);
    const double front_friction = car[FRONT_FRICTION] * grip;
    const double rear_friction = car[REAR_FRICTION] * grip;
    const double gear = controls[GEAR] < 0 ? -1.0 : 1.0;
    const double drive = drive_force(car, v.vx, clip(controls[THROTTLE], 0, 1), gear) * per_mass;
    const double brake = clip(controls[BRAKE], 0, 1) * car[BRAKE_FORCE] * per_mass;
    const double air = v.vx * v.vx * per_mass;
    double way = v.vx > 0 ? 1.0 : (v.vx < 0 ? -1.0 : 0.0);
    const double front_static = GRAVITY * lr * per_base + car[FRONT_DOWNFORCE] * air;
    const double rear_static = GRAVITY * lf * per_base + car[REAR_DOWNFORCE] * air;
    const double most = front_friction * front_static + rear_friction * rear_static;
    const double shift = clip(drive - way * brake, -most, most) * car[CG_HEIGHT] * per_base;
    double front_grip = front_friction * max(front_static - shift, 0.0);
    double rear_grip = rear_friction * max(rear_static + shift, 0.0);

    double front_most = car[FRONT_GRIP_SHARE] * front_grip;
    double rear_most = car[REAR_GRIP_SHARE] * rear_grip;
    double front = clip(car[DRIVE_FRONT] * drive, -front_most, front_most);
    double rear = clip((1 - car[DRIVE_FRONT]) * drive, -rear_most, rear_most);
    const double left = v.vy + lf * v.r;
    const double forward = wheel.cosine * v.vx + wheel.sine * left;
    double front_brake = 0, rear_brake = 0;
    if (brake > 0) {
        front_most *= along(forward, wheel.cosine * left - wheel.sine * v.vx);
        rear_most *= along(v.vx, v.vy - lr * v.r);
        front_brake = min(car[BRAKE_FRONT] * brake, front_most);
        rear_brake = min((1 - car[BRAKE_FRONT]) * brake, rear_most);
    }
    const double rolling = car[ROLLING_RESISTANCE] + max(ground[ROLLING], 0.0);

    const double drag = car[DRAG] * per_mass * std::sqrt(v.vx * v.vx + v.vy * v.vy);
    const double free = front * wheel.cosine + rear - drag * v.vx + slope;
    if (way == 0) way = free > 0 ? 1.0 : -1.0;
    const double needed = abs(v.vx) / h + way * free;
    const double available = front_brake * wheel.cosine + rear_brake + rolling;
    double applied = way;
    if (needed < available) applied *= max(needed, 0.0) / available;
    if (forward * way < 0) {
        front += way * front_brake;
    } else {
        front -= applied * front_brake;
    }
    rear -= applied * rear_brake;
    front_grip = std::sqrt(max(front_grip * front_grip - front * front, 0.0)) + TINY;
    rear_grip = std::sqrt(max(rear_grip * rear_grip - rear * rear, 0.0)) + TINY;
    return {front, rear, drag, -applied * rolling, front_grip, rear_grip,
            car[FRONT_STIFFNESS] * front_static, car[REAR_STIFFNESS] * rear_static,
            needed <= available};
}

Motion acceleration(Motion v, Turn wheel, double gx, double gy, const Held& held) {
    const double cd = wheel.cosine, sd = wheel.sine;
    const double left = v.vy + held.lf * v.r;
    const double side = side_force(cd * v.vx + sd * left, cd * left - sd * v.vx,
                                   held.front_steepness, held.floor, held.front_grip);
    const double rear_side = side_force(v.vx, v.vy - held.lr * v.r, held.rear_steepness,
                                        held.floor, held.rear_grip);
    const double front = held.front, rear = held.rear, drag = held.drag;
    const double ax = (v.r * v.vy + front * cd + rear - drag * v.vx + held.resistance + gx) - side * sd;
    const double ay = (front * sd - v.r * v.vx - drag * v.vy + gy) + (side * cd + rear_side);
    const double ar = front * sd * held.front_lever +
                      (side * (cd * held.front_lever) - rear_side * held.rear_lever);
    if (held.slipping == 1) return {ax, ay, ar};
    const double j = sd / (cd * (held.lf + held.lr));
    const double e = held.lr * j;
    const double j_rate = held.rate / (cd * cd * (held.lf + held.lr));
    double push = front / cd + rear + held.resistance - drag * (v.vx + e * v.vy) + gx + e * gy;
    push -= v.vx * (e * held.lr + held.inertia * j) * j_rate;
    const double du = push / (1 + e * e + held.inertia * j * j);
    const double rolling = 1 - held.slipping;
    return {held.slipping * ax + rolling * du,
            held.slipping * ay + rolling * (e * du + held.lr * j_rate * v.vx),
            held.slipping * ar + rolling * (j * du + j_rate * v.vx)};
}

Settled settled(const double* car, Motion v, Turn wheel, double side_slope, double grip, double h) {
    const bool kinematic = car[KINEMATIC] != 0;
    const double blend = car[BLEND_SPEED];
    const double inertia = car[YAW_INERTIA] / car[MASS];
    const double speed = std::sqrt(v.vx * v.vx + v.vy * v.vy + inertia * v.r * v.r);
    if (speed > 3 * blend && !kinematic) return {v, 1.0, false};
    const double slipping = kinematic ? 0.0 : 0.5 * (1 + std::tanh(4 * (speed / blend - 1)));
    const double j = wheel.sine / (wheel.cosine * (car[FRONT_AXLE] + car[REAR_AXLE]));
    const double e = car[REAR_AXLE] * j;
    const double u = (v.vx + e * v.vy + inertia * j * v.r) / (1 + e * e + inertia * j * j);
    const double dx = u - v.vx, dy = e * u - v.vy, dr = j * u - v.r;
    const double change = std::sqrt(dx * dx + dy * dy + inertia * dr * dr);
    const double most = (1 - slipping) * grip * h;
    if (change <= most || kinematic) {
        const bool rolls = kinematic || abs(u * u * j - side_slope) <= grip;
        return {{u, e * u, j * u}, slipping, rolls};
    }
    const double share = most / change;
    return {{v.vx + share * dx, v.vy + share * dy, v.r + share * dr}, slipping, false};
}

void substep(double* state, const double* controls, const double* ground, const double* car,
             double h, Turn& yaw, Turn& wheel) {
    const double lf = car[FRONT_AXLE], lr = car[REAR_AXLE];
    const double inertia = car[YAW_INERTIA] / car[MASS];
    const double per_inertia = 1 / inertia;
    const double wx = ground[GRAVITY_X], wy = ground[GRAVITY_Y];
    const double side_slope = yaw.cosine * wy - yaw.sine * wx;
    Motion v0 = {state[VX], state[VY], state[YAW_RATE]};

    double wanted = controls[STEERING];
    wanted = wanted == wanted ? clip(wanted, -1, 1) : 0.0;
    const double quickest = car[STEERING_RATE] * h;
    const double turn = clip(wanted * car[MAX_WHEEL_ANGLE] - state[STEER], -quickest, quickest);
    const Turn turned_wheel = turned(wheel, turn);
    state[STEER] += turn;

    Axles axles = axle_forces(car, v0, wheel, yaw.cosine * wx + yaw.sine * wy, controls, ground, h);
    const double grip = axles.front_grip + axles.rear_grip;
    const Settled start = settled(car, v0, wheel, side_slope, grip, h);
    v0 = start.motion;
    const double front_steepness = axles.front_stiffness / (3 * axles.front_grip);
    const double rear_steepness = axles.rear_stiffness / (3 * axles.rear_grip);
    if (axles.stops && v0.vx == 0 && v0.vy == 0 && v0.r == 0 && abs(side_slope) <= grip) {
        wheel = turned_wheel;
        return;
    }
    double slipping = start.slipping;
    if (!start.rolls) {
        axles.front_grip *= slipping;
        axles.rear_grip *= slipping;
        slipping = 1;
    }
    const double stiffest = axles.front_stiffness + axles.rear_stiffness +
        (lf * lf * axles.front_stiffness + lr * lr * axles.rear_stiffness) * per_inertia;
    const Held held = {lf, lr, inertia, lf * per_inertia, lr * per_inertia, turn / h,
                       axles.front, axles.rear, axles.drag, axles.resistance,
                       axles.front_grip, axles.rear_grip, front_steepness, rear_steepness,
                       stiffest * h * (1 / STABLE), slipping};

    double x = 0, y = 0, angle = 0;
    Motion v = {0, 0, 0}, a = {0, 0, 0}, dv = {0, 0, 0};
    Turn now = yaw;
    for (int stage = 0; stage < 4; ++stage) {
        const bool middle = stage == 1 || stage == 2;
        const double part = middle ? 0.5 * h : (stage == 3 ? h : 0.0);
        if (stage > 0) now = turned(yaw, part * v.r);
        if (stage == 1 || stage == 3) wheel = turned(wheel, 0.5 * turn);
        v = {v0.vx + part * a.vx, v0.vy + part * a.vy, v0.r + part * a.r};
        a = acceleration(v, wheel, now.cosine * wx + now.sine * wy,
                         now.cosine * wy - now.sine * wx, held);
        const double weight = middle ? h / 3 : h / 6;
        x += weight * (now.cosine * v.vx - now.sine * v.vy);
        y += weight * (now.sine * v.vx + now.cosine * v.vy);
        angle += weight * v.r;
        dv = {dv.vx + weight * a.vx, dv.vy + weight * a.vy, dv.r + weight * a.r};
    }
    v = {v0.vx + dv.vx, v0.vy + dv.vy, v0.r + dv.r};
    if (start.rolls && axles.stops) v = {0, 0, 0};
    state[X] += x;
    state[Y] += y;
    state[YAW] += angle;
    state[VX] = v.vx;
    state[VY] = v.vy;
    state[YAW_RATE] = v.r;
    yaw = turned(yaw, angle);
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
