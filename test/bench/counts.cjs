// Loaded into a process whose steps are counted: when it ends, it tells on its fourth channel how often each part of the program ran.
const { Session } = require('node:inspector');
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  process.on('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const own = result.filter(({ url }) => url.includes('/dist/'));
      const ranges = own.flatMap(({ url, functions }) =>
        functions.flatMap(({ functionName, ranges: blocks }) =>
          blocks.map(({ startOffset, endOffset, count }) => [
            `${url.replace(/^.*\//, '')}:${startOffset}-${endOffset} ${functionName}`,
            count,
          ]),
        ),
      );
      writeFileSync(3, JSON.stringify(ranges));
    });
  });
}
