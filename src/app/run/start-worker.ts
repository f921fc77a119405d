/** The entry point of the worker thread in dist/: loads it, if this Node is new enough. */
import './node-version.ts';

void import('../../core/guards/worker.js');
