/** Runs `history [ENTRY]`: lists the applies of a target, newest first, or shows the outcome of one. */
export { historyTargets as historyCommand } from '../../app/history-targets.ts';
