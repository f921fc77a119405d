/** Attributes unhandled errors (`unhandledRejection`, `uncaughtException`) to the target that caused them. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Handles an unhandled error; returns false if it is too late to report it. */
type Handler = (error: unknown) => boolean;

const handlerOfTarget = new AsyncLocalStorage<Handler>();

/** Runs the work of a target; unhandled errors of that work are passed to `handle`. */
export function withErrorHandler<Result>(handle: Handler, work: () => Result): Result {
  return handlerOfTarget.run(handle, work);
}

/** Passes an unhandled error to the target whose work caused it. Returns false if no target reported it. */
export function handledByTarget(error: unknown): boolean {
  return handlerOfTarget.getStore()?.(error) === true;
}
