// Loaded into a measured process: when it ends, it tells on its fourth channel what it has used.
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));
