import { describe, expect, it } from 'vitest';
import { instantsOf, inZone, isTimeZone } from '../../../src/core/windows/local-time.ts';

const at = (text: string) => Date.parse(text);

describe('a local time', () => {
  // The nights on which clocks change, from the tz database: zone, local time, first instant, last instant.
  it.each([
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59Z', '2026-03-29T00:59Z'],
    ['Europe/Berlin', '2026-03-29T02:00', '2026-03-29T01:00Z', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00Z', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00Z', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59Z', '2026-10-24T23:59Z'],
    ['Europe/Berlin', '2026-10-25T02:00', '2026-10-25T00:00Z', '2026-10-25T01:00Z'],
    ['Europe/Berlin', '2026-10-25T02:59', '2026-10-25T00:59Z', '2026-10-25T01:59Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00Z', '2026-10-25T02:00Z'],
    ['America/Santiago', '2026-09-05T23:59', '2026-09-06T03:59Z', '2026-09-06T03:59Z'],
    ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:00Z', '2026-09-06T04:00Z'],
    ['America/Santiago', '2026-09-06T01:00', '2026-09-06T04:00Z', '2026-09-06T04:00Z'],
    ['America/Santiago', '2026-04-04T22:59', '2026-04-05T01:59Z', '2026-04-05T01:59Z'],
    ['America/Santiago', '2026-04-04T23:30', '2026-04-05T02:30Z', '2026-04-05T03:30Z'],
    ['America/Santiago', '2026-04-05T00:00', '2026-04-05T04:00Z', '2026-04-05T04:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T01:59', '2026-10-03T15:29Z', '2026-10-03T15:29Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30Z', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30Z', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:29', '2026-04-04T14:29Z', '2026-04-04T14:29Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45Z', '2026-04-04T15:15Z'],
    ['Australia/Lord_Howe', '2026-04-05T02:00', '2026-04-04T15:30Z', '2026-04-04T15:30Z'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00Z', '2011-12-30T10:00Z'],
    ['Pacific/Kiritimati', '2027-01-01T00:00', '2026-12-31T10:00Z', '2026-12-31T10:00Z'],
    ['Asia/Kathmandu', '2028-02-29T00:00', '2028-02-28T18:15Z', '2028-02-28T18:15Z'],
    ['UTC', '2027-01-01T00:00', '2027-01-01T00:00Z', '2027-01-01T00:00Z'],
  ])('of %s, %s, has its first and its last instant, or the moment of the jump', (zone, local, first, last) => {
    expect(instantsOf(at(`${local}Z`), zone)).toEqual({ first: at(first), last: at(last) });
  });
});

describe('an instant', () => {
  it.each([
    ['2026-12-18T17:00:00Z', 'Europe/Berlin', '2026-12-18 18:00 Europe/Berlin'],
    ['2026-12-18T17:00:05Z', 'UTC', '2026-12-18 17:00:05 UTC'],
    ['2026-12-31T23:00:00Z', 'Europe/Berlin', '2027-01-01 00:00 Europe/Berlin'],
    ['2026-04-04T15:15:00Z', 'Australia/Lord_Howe', '2026-04-05 01:45 Australia/Lord_Howe'],
    ['1969-12-31T23:59:59.500Z', 'UTC', '1969-12-31 23:59:59 UTC'],
  ])('%s is shown in %s as `%s`', (instant, zone, text) => {
    expect(inZone(at(instant), zone)).toBe(text);
  });
});

describe('a name of a time zone', () => {
  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Mars/Phobos', false],
    ['Europe', false],
    ['+01:00', false],
    ['', false],
    ['Europe/Berlin ', false],
    ['../etc/passwd', false],
  ])('such as `%s` is known: %s', (name, isKnown) => {
    expect(isTimeZone(name)).toBe(isKnown);
  });
});
