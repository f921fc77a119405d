/** Which target an error belongs to that nobody awaited or caught (`unhandledRejection`, `uncaughtException`). */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Takes an unhandled error; false where it comes too late to be reported. */
type Handler = (error: unknown) => boolean;

const handlerOfTarget = new AsyncLocalStorage<Handler>();

/** Runs the work of a target; errors that come of it and that nobody handles go to `handle`. */
export function withErrorHandler<Result>(handle: Handler, work: () => Result): Result {
  return handlerOfTarget.run(handle, work);
}

/** Hands an unhandled error to the target in whose work it arose. Returns false where no target has reported it. */
export function handledByTarget(error: unknown): boolean {
  return handlerOfTarget.getStore()?.(error) === true;
}
