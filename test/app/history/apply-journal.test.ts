import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal, readJournal } from '../../../src/app/history/apply-journal.ts';
import { ensureDotUpkeep } from '../../../src/app/run/upkeep-folder.ts';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import { temporaryFolder } from '../../support/harness.ts';

const file = (localFolder: string) => join(localFolder, 'journal.jsonl');

const NONE = new Map<string, never>();

/** What a killed run has left: the time of its last line, and the creates without a result. */
function killed(folder: string) {
  const { killedAt, sentCreates } = readJournal(folder);
  return killedAt === null ? null : { at: killedAt, addresses: [...sentCreates.keys()].sort() };
}

function openJournalInNewFolder() {
  const folder = join(temporaryFolder(), 'upkeep', 'project', 'live');
  let time = Date.UTC(2026, 0, 1);
  const journal = openJournal(folder, () => (time += 1000));
  return { folder, journal, text: () => readFileSync(file(folder), 'utf8') };
}

describe('the journal of an apply', () => {
  it('the journal is created by the first create and removed at the end', () => {
    const { folder, journal, text } = openJournalInNewFolder();
    expect(killed(folder)).toBeNull();
    journal.recordIntent(['playlist/a']);
    expect(text()).toBe('\n{"at":"2026-01-01T00:00:01.000Z","intend":["playlist/a"]}\n');
    journal.recordResult(['playlist/a']);
    expect(journal.close(NONE)).toBeNull();
    expect(killed(folder)).toBeNull();
    expect(journal.close(NONE)).toBeNull();
  });

  it('a closed journal leaves no file open', () => {
    const lowestFree = () => {
      const descriptor = openSync(import.meta.filename, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = lowestFree();
    for (let round = 0; round < 100; round++) {
      const { journal } = openJournalInNewFolder();
      journal.recordIntent(['playlist/a']);
      journal.close(NONE);
    }
    expect(lowestFree() - before).toBeLessThan(50);
  });

  it('the journal of a killed run lists the creates without a result, sorted, and the time of its last line', () => {
    const { folder, journal } = openJournalInNewFolder();
    journal.recordIntent(['playlist/b', 'playlist/a']);
    journal.recordIntent(['playlist/c']);
    journal.recordResult(['playlist/b']);
    expect(killed(folder)).toEqual({ at: '2026-01-01T00:00:03.000Z', addresses: ['playlist/a', 'playlist/c'] });
    expect(killed(join(folder, '..', 'other'))).toBeNull();
  });

  it('a journal is read up to 256 MiB', () => {
    const { folder, journal } = openJournalInNewFolder();
    journal.recordIntent(['playlist/a']);
    truncateSync(file(folder), 256 * 1024 * 1024);
    expect(killed(folder)?.addresses).toEqual(['playlist/a']);
    truncateSync(file(folder), 256 * 1024 * 1024 + 1);
    expect(() => killed(folder)).toThrow(LedgerError);
  });

  it('invalid lines of a journal are skipped', () => {
    const { folder, journal, text } = openJournalInNewFolder();
    journal.recordIntent(['playlist/a']);
    const torn = '{"at":"2026-01-01T00:00:02.000Z","settle":["playl';
    for (const line of [torn, 'null', '[]', '7', '{"at":1,"intend":"x","settle":[1]}', '\u0000']) {
      writeFileSync(file(folder), `${text()}${line}\n`);
      expect(killed(folder)).toEqual({ at: '2026-01-01T00:00:01.000Z', addresses: ['playlist/a'] });
    }
  });

  it('a line that a kill truncated does not damage the next one', () => {
    const { folder, journal, text } = openJournalInNewFolder();
    journal.recordIntent(['playlist/a']);
    writeFileSync(file(folder), `${text()}{"at":"2026-01-01T00:00:02.000Z","intend":["playl`);
    journal.recordIntent(['playlist/b']);
    expect(killed(folder)?.addresses).toEqual(['playlist/a', 'playlist/b']);
  });

  it('a journal that can be neither written nor removed returns the reason and does not throw', () => {
    const { folder, journal } = openJournalInNewFolder();
    mkdirSync(file(folder), { recursive: true });
    expect(journal.recordIntent(['playlist/a'])).toBe('its journal cannot be written to this disk (EISDIR)');
    journal.recordResult(['playlist/a']);
    expect(journal.close(NONE)).toMatch(/^the journal \/.*\/journal\.jsonl cannot be removed \(E[A-Z_]+\)$/);
  });

  it('a journal continues the file of a killed run', () => {
    const { folder, journal } = openJournalInNewFolder();
    journal.recordIntent(['playlist/a']);
    const next = openJournal(folder, () => 0);
    next.recordIntent(['playlist/b']);
    expect(killed(folder)?.addresses).toEqual(['playlist/a', 'playlist/b']);
  });
});

it('ensureDotUpkeep adds a .gitignore that excludes the folder, and keeps an existing one', () => {
  const folder = temporaryFolder();
  ensureDotUpkeep(folder);
  const ignore = join(folder, '.upkeep', '.gitignore');
  expect(readFileSync(ignore, 'utf8')).toBe('*\n');
  writeFileSync(ignore, 'mine\n');
  ensureDotUpkeep(folder);
  expect(readFileSync(ignore, 'utf8')).toBe('mine\n');
});
