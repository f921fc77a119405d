/** Runs at most so many tasks at a time, first come, first served. */
export { default as limitConcurrency } from 'p-limit';
