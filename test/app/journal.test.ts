import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureDotUpkeep } from '../../src/app/dot-upkeep.ts';
import { interruptedCreates, openJournal } from '../../src/app/journal.ts';
import { temporaryFolder } from '../support/harness.ts';

const file = (folder: string) => join(folder, '.upkeep', 'journal', 'live.jsonl');

function begun() {
  const folder = temporaryFolder();
  let time = Date.UTC(2026, 0, 1);
  const journal = openJournal(folder, 'live', () => (time += 1000));
  return { folder, journal, text: () => readFileSync(file(folder), 'utf8') };
}

describe('the journal of an apply', () => {
  it('is not there before the first create, and gone after the end', () => {
    const { folder, journal, text } = begun();
    expect(interruptedCreates(folder, 'live')).toBeNull();
    journal.recordIntent(['playlist/a']);
    expect(text()).toBe('\n{"at":"2026-01-01T00:00:01.000Z","intend":["playlist/a"]}\n');
    journal.recordResult(['playlist/a']);
    expect(journal.close()).toBeNull();
    expect(interruptedCreates(folder, 'live')).toBeNull();
    expect(journal.close()).toBeNull();
  });

  it('leaves no file open after the end', () => {
    const lowestFree = () => {
      const descriptor = openSync(import.meta.filename, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = lowestFree();
    for (let round = 0; round < 100; round++) {
      const { journal } = begun();
      journal.recordIntent(['playlist/a']);
      journal.close();
    }
    expect(lowestFree() - before).toBeLessThan(50);
  });

  it('tells what was not settled when the run was killed, sorted, and when it was last heard of', () => {
    const { folder, journal } = begun();
    journal.recordIntent(['playlist/b', 'playlist/a']);
    journal.recordIntent(['playlist/c']);
    journal.recordResult(['playlist/b']);
    expect(interruptedCreates(folder, 'live')).toEqual({ at: '2026-01-01T00:00:03.000Z', addresses: ['playlist/a', 'playlist/c'] });
    expect(interruptedCreates(folder, 'other')).toBeNull();
  });

  it('is read as far as it goes, whatever stands in it', () => {
    const { folder, journal, text } = begun();
    journal.recordIntent(['playlist/a']);
    const torn = '{"at":"2026-01-01T00:00:02.000Z","settle":["playl';
    for (const line of [torn, 'null', '[]', '7', '{"at":1,"intend":"x","settle":[1]}', '\u0000']) {
      writeFileSync(file(folder), `${text()}${line}\n`);
      expect(interruptedCreates(folder, 'live')).toEqual({ at: '2026-01-01T00:00:01.000Z', addresses: ['playlist/a'] });
    }
  });

  it('loses no line to the one before, which a kill has torn', () => {
    const { folder, journal, text } = begun();
    journal.recordIntent(['playlist/a']);
    writeFileSync(file(folder), `${text()}{"at":"2026-01-01T00:00:02.000Z","intend":["playl`);
    journal.recordIntent(['playlist/b']);
    expect(interruptedCreates(folder, 'live')?.addresses).toEqual(['playlist/a', 'playlist/b']);
  });

  it('says why it can be neither kept nor removed, and throws nothing in the middle of an apply', () => {
    const { folder, journal } = begun();
    mkdirSync(file(folder), { recursive: true });
    expect(journal.recordIntent(['playlist/a'])).toBe('its journal cannot be written to this disk (EISDIR)');
    journal.recordResult(['playlist/a']);
    expect(journal.close()).toMatch(/^the journal \/.*\/live\.jsonl cannot be removed \(E[A-Z_]+\)$/);
  });

  it('goes on in the file of a run that was killed, so that no trace is lost', () => {
    const { folder, journal } = begun();
    journal.recordIntent(['playlist/a']);
    const next = openJournal(folder, 'live', () => 0);
    next.recordIntent(['playlist/b']);
    expect(interruptedCreates(folder, 'live')?.addresses).toEqual(['playlist/a', 'playlist/b']);
  });
});

it('the folder of what upkeep keeps ignores itself in git, and what stands there stays', () => {
  const folder = temporaryFolder();
  ensureDotUpkeep(folder);
  const ignore = join(folder, '.upkeep', '.gitignore');
  expect(readFileSync(ignore, 'utf8')).toBe('*\n');
  writeFileSync(ignore, 'mine\n');
  ensureDotUpkeep(folder);
  expect(readFileSync(ignore, 'utf8')).toBe('mine\n');
});
