import { defineConfig } from 'vitest/config';

/** The soak is no part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/soak/*.soak.ts'],
    pool: 'forks',
    setupFiles: ['test/setup.ts'],
    expect: { requireAssertions: true },
    disableConsoleIntercept: true,
  },
});
