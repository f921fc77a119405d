import { describe, expect, it } from 'vitest';
import { withSkippedFiles } from '../../../src/core/config/skipped-files.ts';
import type { ProjectFiles } from '../../../src/core/model/project-files.ts';

const DISK: ProjectFiles = {
  typeOf: (path) => (path === '.' || path === 'config' ? 'folder' : path === 'config/a.yaml' ? 'file' : 'missing'),
  list: (folder) => (folder === '.' ? ['config'] : ['a.yaml']),
  size: () => 1,
  read: () => Buffer.from('x'),
  resolve: (path) => `real/${path}`,
};
const files = withSkippedFiles(DISK, ['config/b.yaml', 'config/deep/er/c.yaml', 'config/a.yaml']);

describe('withSkippedFiles', () => {
  it('shows a file that is not on disk as skipped, and the folders above it', () => {
    expect(['config/b.yaml', './config/b.yaml', 'config/deep', 'config/deep/er/', 'config/deep/er/c.yaml'].map(files.typeOf)).toEqual([
      'skipped',
      'skipped',
      'folder',
      'folder',
      'skipped',
    ]);
    expect([files.list('.'), files.list('config').toSorted(), files.list('config/deep')]).toEqual([
      ['config'],
      ['a.yaml', 'b.yaml', 'deep'],
      ['er'],
    ]);
    expect(files.resolve?.('config/deep')).toBe('config/deep');
  });

  it('leaves what is on disk, and what is nowhere, as it is', () => {
    expect([files.typeOf('config/a.yaml'), files.typeOf('config/other.yaml'), files.resolve?.('config/a.yaml')]).toEqual([
      'file',
      'missing',
      'real/config/a.yaml',
    ]);
    expect(withSkippedFiles(DISK, [])).toBe(DISK);
  });
});
