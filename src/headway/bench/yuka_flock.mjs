// Steps a flock of Yuka and prints the CPU seconds of each step as JSON.
// node yuka_flock.mjs FOLDER_OF_YUKA AGENTS STEPS SIDE_M
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [folder, agents, steps, side] = process.argv.slice(2);
const YUKA = await import(pathToFileURL(join(folder, "build", "yuka.module.js")).href);
const count = Number(agents), width = Number(side), RADIUS = 9;

let seed = 1;
const draw = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

const manager = new YUKA.EntityManager();
const cells = Math.max(1, Math.floor(width / RADIUS));
manager.spatialIndex = new YUKA.CellSpacePartitioning(width, width, width, cells, cells, cells);
for (let i = 0; i < count; i++) {
  const bird = new YUKA.Vehicle();
  bird.position.set((draw() - 0.5) * width, (draw() - 0.5) * width, (draw() - 0.5) * width);
  bird.velocity.set(draw() - 0.5, draw() - 0.5, draw() - 0.5).normalize().multiplyScalar(9);
  bird.maxSpeed = 9;
  bird.maxForce = 27;
  bird.updateNeighborhood = true;
  bird.neighborhoodRadius = RADIUS;
  for (const [Behavior, weight] of [[YUKA.SeparationBehavior, 12], [YUKA.AlignmentBehavior, 8], [YUKA.CohesionBehavior, 8]]) {
    const behavior = new Behavior();
    behavior.weight = weight;
    bird.steering.add(behavior);
  }
  manager.add(bird);
}

const seconds = [];
for (let step = 0; step < Number(steps) + 2; step++) {
  const before = process.cpuUsage();
  manager.update(1 / 60);
  const spent = process.cpuUsage(before);
  if (step >= 2) seconds.push((spent.user + spent.system) / 1e6); // the first ones compile
}
console.log(JSON.stringify(seconds));
