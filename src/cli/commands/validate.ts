/** Runs `validate`: checks all targets, or the named ones, without network access. */
export { validateTargets as validateCommand } from '../../app/validate-targets.ts';
