/** Runs `doctor`: checks whether each target could be planned and applied. It writes nothing and continues after a failed check. */
export { doctorTargets as doctorCommand } from '../../app/doctor/doctor-targets.ts';
