/** Runs `plan`: shows what apply would do. It writes nothing and takes no lock. */
export { planTargets as planCommand } from '../../app/plan-targets.ts';
