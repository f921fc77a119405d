/** The messages about mistakes that somebody makes who is new to YAML or to upkeep, one by one. */
import { expect, test } from 'vitest';
import { loadProject } from '../../../src/core/config/load-project.ts';
import { memoryFiles } from '../../../src/core/config/project-folder.ts';
import { kinds } from '../../../src/core/kinds/index.ts';
import { GENERAL_CODES } from '../../../src/core/model/finding-codes.ts';
import { loadConfig, projectText } from './fixture.ts';

const ID = '10c5467d77c54dc4b739db2cd832143a';

interface ExpectedFinding {
  /** Line and column. */
  readonly at: string;
  readonly code: string;
  readonly summary: string;
  readonly hint: string | undefined;
}

/** A source with one mistake. Its text begins after the first line break. */
interface Mistake {
  readonly mistake: string;
  readonly text: string;
  readonly findings: readonly ExpectedFinding[];
}

const mistakes: readonly Mistake[] = [
  {
    mistake: 'a key one column too far left',
    text: `
playlists:
  evening:
    desc: Evening
   repeat: 1
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:4',
        code: 'yaml-syntax',
        summary: 'this line begins in column 4, its siblings in column 5 or 3',
        hint: 'Begin it in column 5 or 3: the keys of one map begin in the same column.',
      },
    ],
  },
  {
    mistake: 'a key two columns too far left',
    text: `
playlists:
  evening:
    desc: Evening
  repeat: 1
    studio_drm_required: 1
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:3',
        code: 'yaml-syntax',
        summary: 'this line begins in column 3, the lines before and after it in column 5',
        hint: 'Begin it in column 5, or the next line in column 3.',
      },
    ],
  },
  {
    mistake: 'a key with a quoted value two columns too far left',
    text: `
playlists:
  evening:
    repeat: 1
  desc: "Evening"
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:3',
        code: 'yaml-syntax',
        summary: 'this line begins in column 3, the lines before and after it in column 5',
        hint: 'Begin it in column 5, or the next line in column 3.',
      },
    ],
  },
  {
    mistake: 'a key of a nested map two columns too far left',
    text: `
drm_policies:
  premium:
    widevine:
      policy_overrides:
        can_play: true
      can_persist: false
        can_renew: true
`,
    findings: [
      {
        at: '6:7',
        code: 'yaml-syntax',
        summary: 'this line begins in column 7, the lines before and after it in column 9',
        hint: 'Begin it in column 9, or the next line in column 7.',
      },
    ],
  },
  {
    mistake: 'a key one column too far right',
    text: `
playlists:
  evening:
    desc: Evening
     repeat: 1
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:6',
        code: 'yaml-syntax',
        summary: 'this line begins in column 6, its siblings in column 5',
        hint: 'Begin it in column 5: the keys of one map begin in the same column. A text of several lines needs quotes.',
      },
    ],
  },
  {
    mistake: 'an item one column too far left',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
     - ad: 30
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:6',
        code: 'yaml-syntax',
        summary: 'this line begins in column 6, its siblings in column 7',
        hint: 'Begin it in column 7: the dashes of one list begin in the same column.',
      },
    ],
  },
  {
    mistake: 'an item one column too far right',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
       - ad: 30
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:8',
        code: 'yaml-syntax',
        summary: 'this line begins in column 8, its siblings in column 7',
        hint: 'Begin it in column 7: the dashes of one list begin in the same column.',
      },
    ],
  },
  {
    mistake: 'a key too far right in a map of a list',
    text: `
playlists:
  evening:
    playlist:
      - beam:
          id: ${ID}
      - ad:
         dur: 30
          x: 1
`,
    findings: [
      {
        at: '8:11',
        code: 'yaml-syntax',
        summary: 'this line begins in column 11, its siblings in column 10',
        hint: 'Begin it in column 10: the keys of one map begin in the same column. A text of several lines needs quotes.',
      },
    ],
  },
  {
    mistake: 'a playlist one column too far right',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
   morning:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:4',
        code: 'yaml-syntax',
        summary: 'this line begins in column 4, its siblings in column 5 or 3',
        hint: 'Begin it in column 5 or 3: the keys of one map begin in the same column.',
      },
    ],
  },
  {
    mistake: 'a section that is indented',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
 drm_policies: {}
`,
    findings: [
      {
        at: '5:2',
        code: 'yaml-syntax',
        summary: 'this line begins in column 2, its siblings in column 3 or 1',
        hint: 'Begin it in column 3 or 1: the keys of one map begin in the same column.',
      },
    ],
  },
  {
    mistake: 'a first section that is indented',
    text: `
 assets: {}
playlists:
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '2:1',
        code: 'yaml-syntax',
        summary: 'this line begins in column 1, its siblings in column 2',
        hint: 'Begin it in column 2: the keys of one map begin in the same column.',
      },
    ],
  },
  {
    mistake: 'tabs as indentation',
    text: `
playlists:
\tevening:
\t\tplaylist:
\t\t\t- beam: ${ID}
`,
    findings: [{ at: '2:1', code: 'yaml-syntax', summary: 'a tab is used for indentation', hint: 'YAML is indented with spaces only.' }],
  },
  {
    mistake: 'a tab after spaces',
    text: `
playlists:
  evening:
  \tdesc: x
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '3:3', code: 'yaml-syntax', summary: 'a tab is used for indentation', hint: 'YAML is indented with spaces only.' }],
  },
  {
    mistake: 'a section without a colon',
    text: `
playlists
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a key without a colon in front of a map',
    text: `
playlists:
  evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '2:3',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a setting without a colon',
    text: `
playlists:
  evening:
    desc Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a key without a colon in front of a list',
    text: `
playlists:
  evening:
    desc: Evening
    playlist
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a last setting without a colon',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
    desc Evening
`,
    findings: [
      {
        at: '5:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a key without colon and value',
    text: `
playlists:
  a: {}
  b
  c: {}
`,
    findings: [
      {
        at: '3:3',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'an item without a colon',
    text: `
playlists:
  evening:
    playlist:
      - beam ${ID}
      - ad: 30
`,
    findings: [
      {
        at: '4:9',
        code: 'wrong-type',
        summary: `\`playlist[0]\` must be a map, not "beam ${ID}"`,
        hint: 'Write a colon and a space after `beam`, then its value.',
      },
    ],
  },
  {
    mistake: 'a colon without a space',
    text: `
playlists:
  evening:
    desc:Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a colon without a space in a list',
    text: `
playlists:
  evening:
    playlist:
      - beam:${ID}
      - ad:30
`,
    findings: [
      {
        at: '4:9',
        code: 'wrong-type',
        summary: `\`playlist[0]\` must be a map, not "beam:${ID}"`,
        hint: 'Write a colon and a space after `beam`, then its value.',
      },
      {
        at: '5:9',
        code: 'wrong-type',
        summary: '`playlist[1]` must be a map, not "ad:30"',
        hint: 'Write a colon and a space after `ad`, then its value.',
      },
    ],
  },
  {
    mistake: 'a colon without a space between brackets',
    text: `
playlists:
  evening:
    playlist: [ { beam:${ID} }, { ad: 30 } ]
`,
    findings: [
      {
        at: '3:19',
        code: 'unknown-key',
        summary: `unknown key \`beam:${ID}\` in \`playlist[0]\``,
        hint: 'Write a space after the colon of `beam:`',
      },
    ],
  },
  {
    mistake: 'an equals sign for a colon',
    text: `
playlists:
  evening:
    desc = Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'an unclosed double quote',
    text: `
playlists:
  evening:
    desc: "Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'the quote that opens here is not closed',
        hint: "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an unclosed single quote',
    text: `
playlists:
  evening:
    desc: 'Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'the quote that opens here is not closed',
        hint: "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an unclosed double quote in front of a quoted text',
    text: `
playlists:
  evening:
    desc: "Evening
    playlist:
      - beam: "${ID}"
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'the quote that opens here is not closed',
        hint: "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an unclosed single quote in front of a quoted text',
    text: `
playlists:
  evening:
    desc: 'Evening
    playlist:
      - beam: '${ID}'
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'the quote that opens here is not closed',
        hint: "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an unclosed quote between brackets',
    text: `
playlists:
  evening:
    playlist: [ { beam: "${ID} } ]
`,
    findings: [
      {
        at: '3:25',
        code: 'yaml-syntax',
        summary: 'the quote that opens here is not closed',
        hint: "Write the same quote at the end of the text. Within the text, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'a quoted text of two lines that is not indented',
    text: `
playlists:
  evening:
    desc: "Evening
  block"
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:3',
        code: 'yaml-syntax',
        summary: 'this line is within quotes or brackets, and begins in column 3',
        hint: 'Begin it in column 6 or further right, or close the quote or bracket on a line before it.',
      },
    ],
  },
  {
    mistake: 'a double quote within double quotes',
    text: `
playlists:
  evening:
    desc: "The "best" show"
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:17',
        code: 'yaml-syntax',
        summary: 'there is text after the closing quote',
        hint: "Put the whole text in quotes. Within it, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an apostrophe within single quotes',
    text: `
playlists:
  evening:
    desc: 'The kid's show'
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:20',
        code: 'yaml-syntax',
        summary: 'there is text after the closing quote',
        hint: "Put the whole text in quotes. Within it, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'a text of which only the beginning is quoted',
    text: `
playlists:
  evening:
    desc: "Evening" block
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:21',
        code: 'yaml-syntax',
        summary: 'there is text after the closing quote',
        hint: "Put the whole text in quotes. Within it, write \\\" in double quotes and '' in single quotes.",
      },
    ],
  },
  {
    mistake: 'an unclosed square bracket',
    text: `
playlists:
  evening:
    playlist: [ { beam: ${ID} }
    desc: Evening
`,
    findings: [
      {
        at: '3:15',
        code: 'yaml-syntax',
        summary: 'the bracket that opens here is not closed',
        hint: 'Write ] at its end, or put a text that begins with a bracket in quotes.',
      },
    ],
  },
  {
    mistake: 'an unclosed curly bracket',
    text: `
playlists:
  evening: { desc: Evening, playlist: [ { beam: ${ID} } ]
  morning: { playlist: [ { beam: ${ID} } ] }
`,
    findings: [
      {
        at: '2:12',
        code: 'yaml-syntax',
        summary: 'the bracket that opens here is not closed',
        hint: 'Write } at its end, or put a text that begins with a bracket in quotes.',
      },
    ],
  },
  {
    mistake: 'an unclosed bracket at the end of the file',
    text: `
playlists:
  evening:
    playlist: [ { beam: ${ID} }
`,
    findings: [
      {
        at: '3:15',
        code: 'yaml-syntax',
        summary: 'the bracket that opens here is not closed',
        hint: 'Write ] at its end, or put a text that begins with a bracket in quotes.',
      },
    ],
  },
  {
    mistake: 'a bracket too many',
    text: `
playlists:
  evening:
    playlist: [ { beam: ${ID} } ] ]
`,
    findings: [
      {
        at: '3:62',
        code: 'yaml-syntax',
        summary: 'no bracket is open that this one could close',
        hint: 'Remove it, or write the opening bracket.',
      },
    ],
  },
  {
    mistake: 'the wrong closing bracket',
    text: `
playlists:
  evening:
    playlist: [ { beam: ${ID} ] ]
`,
    findings: [
      {
        at: '3:58',
        code: 'yaml-syntax',
        summary: '] cannot close a bracket that { opens',
        hint: 'Write } in front of it or in its place.',
      },
    ],
  },
  {
    mistake: 'a comma left out in a map',
    text: `
playlists:
  evening: { desc: Evening playlist: [ { beam: ${ID} } ] }
`,
    findings: [
      {
        at: '2:36',
        code: 'yaml-syntax',
        summary: 'a second colon in one entry',
        hint: 'Write a comma in front of the second key, or quote a text that contains a colon and a space.',
      },
    ],
  },
  {
    mistake: 'a comma left out in a list',
    text: `
playlists:
  evening:
    playlist: [ { beam: ${ID} } { ad: 30 } ]
`,
    findings: [
      {
        at: '3:60',
        code: 'yaml-syntax',
        summary: 'a comma or a closing bracket is missing here',
        hint: 'Write it in front of this place.',
      },
    ],
  },
  {
    mistake: 'a comma left out in JSON',
    text: `
{
  "playlists": {
    "evening": { "playlist": [ { "beam": "${ID}" } ] }
    "morning": { "playlist": [ { "beam": "${ID}" } ] }
  }
}
`,
    findings: [
      { at: '4:5', code: 'yaml-syntax', summary: 'a comma or a closing bracket is missing here', hint: 'Write it in front of this place.' },
    ],
  },
  {
    mistake: 'a comma at the end of a line',
    text: `
playlists:
  evening:
    repeat: 1,
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '3:13', code: 'wrong-type', summary: '`repeat` must be a whole number, not "1,"', hint: 'Write only the number: 1' }],
  },
  {
    mistake: 'a dash without a space',
    text: `
playlists:
  evening:
    playlist:
      -beam: ${ID}
      -ad: 30
`,
    findings: [
      {
        at: '3:5',
        code: 'wrong-type',
        summary: '`playlist` must be a list, not a map',
        hint: 'Write a list: each item on a line of its own, after a dash and a space.',
      },
    ],
  },
  {
    mistake: 'a list without dashes',
    text: `
playlists:
  evening:
    playlist:
      beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'wrong-type',
        summary: '`playlist` must be a list, not a map',
        hint: 'Write a list: each item on a line of its own, after a dash and a space.',
      },
    ],
  },
  {
    mistake: 'an item without a dash',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      ad: 30
`,
    findings: [
      {
        at: '5:7',
        code: 'yaml-syntax',
        summary: 'a key is among the items of a list',
        hint: 'Write a dash and a space in front of it, or correct its indentation.',
      },
    ],
  },
  {
    mistake: 'a first item without a dash',
    text: `
playlists:
  evening:
    playlist:
      ad: 30
      - beam: ${ID}
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:7',
        code: 'yaml-syntax',
        summary: 'a key is among the items of a list',
        hint: 'Write a dash and a space in front of it, or correct its indentation.',
      },
    ],
  },
  {
    mistake: 'a first dash without a space',
    text: `
playlists:
  evening:
    playlist:
      -beam: ${ID}
      - ad: 30
`,
    findings: [
      {
        at: '4:7',
        code: 'yaml-syntax',
        summary: 'a space after the dash is missing',
        hint: 'Put a space after the dash.',
      },
    ],
  },
  {
    mistake: 'a dash without a space among others',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      -ad: 30
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:7',
        code: 'yaml-syntax',
        summary: 'a space after the dash is missing',
        hint: 'Put a space after the dash.',
      },
    ],
  },
  {
    mistake: 'a dash in front of a setting',
    text: `
playlists:
  evening:
    desc: Evening
    repeat: 1
    - playlist:
        - beam: ${ID}
`,
    findings: [
      {
        at: '5:5',
        code: 'yaml-syntax',
        summary: 'an item of a list is among the keys of a map',
        hint: 'Remove its dash, or correct its indentation.',
      },
    ],
  },
  {
    mistake: 'a setting in the column of the items',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      repeat: 1
`,
    findings: [
      {
        at: '5:7',
        code: 'yaml-syntax',
        summary: 'a key is among the items of a list',
        hint: 'Write a dash and a space in front of it, or correct its indentation.',
      },
    ],
  },
  {
    mistake: 'two dashes',
    text: `
playlists:
  evening:
    playlist:
      - - beam: ${ID}
`,
    findings: [
      {
        at: '4:9',
        code: 'wrong-type',
        summary: '`playlist[0]` must be a map, not a list',
        hint: 'Write keys with a colon here, without a dash in front of them.',
      },
    ],
  },
  {
    mistake: 'an asset and an ad break in one item',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
        ad: 30
`,
    findings: [
      {
        at: '4:9',
        code: 'playlist-entry',
        summary: 'an entry holds exactly one of `beam` and `ad`',
        hint: 'Write `beam` and `ad` as separate entries, in the order of playback: `- beam: <asset>`, then `- ad: <seconds>`.',
      },
    ],
  },
  {
    mistake: 'a misspelled `beam`',
    text: `
playlists:
  evening:
    playlist:
      - baem: ${ID}
`,
    findings: [{ at: '4:9', code: 'unknown-key', summary: 'unknown key `baem` in `playlist[0]`', hint: 'Did you mean `beam`?' }],
  },
  {
    mistake: 'an item with `id`',
    text: `
playlists:
  evening:
    playlist:
      - id: ${ID}
`,
    findings: [{ at: '4:9', code: 'unknown-key', summary: 'unknown key `id` in `playlist[0]`', hint: 'Known here: ad, beam, include.' }],
  },
  {
    mistake: 'an ID as an item',
    text: `
playlists:
  evening:
    playlist:
      - ${ID}
`,
    findings: [{ at: '4:9', code: 'wrong-type', summary: `\`playlist[0]\` must be a map, not "${ID}"`, hint: `Write \`beam: ${ID}\`` }],
  },
  {
    mistake: 'a name as an item',
    text: `
assets:
  intro: { id: ${ID} }
playlists:
  evening:
    playlist:
      - intro
`,
    findings: [{ at: '6:9', code: 'wrong-type', summary: '`playlist[0]` must be a map, not "intro"', hint: 'Write `beam: intro`' }],
  },
  {
    mistake: 'a number as an item',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - 30
`,
    findings: [{ at: '5:9', code: 'wrong-type', summary: '`playlist[1]` must be a map, not 30', hint: 'Write `ad: 30`' }],
  },
  {
    mistake: 'an item that is only `ad`',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad
`,
    findings: [
      {
        at: '5:9',
        code: 'wrong-type',
        summary: '`playlist[1]` must be a map, not "ad"',
        hint: 'Write a colon and a space after `ad`, then its value.',
      },
    ],
  },
  {
    mistake: 'an ad break of a text',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: half a minute
`,
    findings: [
      {
        at: '5:13',
        code: 'wrong-type',
        summary: '`ad` must be a whole number or a map, not "half a minute"',
        hint: 'Write a whole number, such as 90.',
      },
    ],
  },
  {
    mistake: 'a number with a unit',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: 30s
`,
    findings: [{ at: '5:13', code: 'wrong-type', summary: '`ad` must be a whole number or a map, not "30s"', hint: 'In seconds: 30' }],
  },
  {
    mistake: 'hours where seconds belong',
    text: `
drm_policies:
  premium:
    widevine:
      policy_overrides: { license_duration_seconds: 24h }
`,
    findings: [
      {
        at: '4:53',
        code: 'wrong-type',
        summary: '`license_duration_seconds` must be a whole number, not "24h"',
        hint: 'In seconds: 86400',
      },
    ],
  },
  {
    mistake: 'one and a half minutes where seconds belong',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: 1.5 min
`,
    findings: [{ at: '5:13', code: 'wrong-type', summary: '`ad` must be a whole number or a map, not "1.5 min"', hint: 'In seconds: 90' }],
  },
  {
    mistake: 'milliseconds where seconds belong',
    text: `
playlists:
  evening:
    beam_break_duration: 1500ms
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:26',
        code: 'wrong-type',
        summary: '`beam_break_duration` must be a whole number, not "1500ms"',
        hint: 'Write a number without a unit.',
      },
    ],
  },
  {
    mistake: 'a number with a unit where seconds do not belong',
    text: `
playlists:
  evening:
    repeat: 3h
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'wrong-type',
        summary: '`repeat` must be a whole number, not "3h"',
        hint: 'Write a number without a unit.',
      },
    ],
  },
  {
    mistake: 'a number with a fraction',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: 30.5
`,
    findings: [
      { at: '5:13', code: 'wrong-type', summary: '`ad` must be a whole number or a map, not 30.5', hint: 'Write it without a fraction.' },
    ],
  },
  {
    mistake: 'a number with a comma',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: 1,5
`,
    findings: [
      {
        at: '5:13',
        code: 'wrong-type',
        summary: '`ad` must be a whole number or a map, not "1,5"',
        hint: 'Write a whole number, such as 90.',
      },
    ],
  },
  {
    mistake: 'a negative number',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: -30
`,
    findings: [{ at: '5:13', code: 'out-of-range', summary: '`ad` must be at least 1; it is -30', hint: undefined }],
  },
  {
    mistake: 'a number of minutes and seconds',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: 0:30
`,
    findings: [
      {
        at: '5:13',
        code: 'wrong-type',
        summary: '`ad` must be a whole number or a map, not "0:30"',
        hint: 'Write a whole number, such as 90.',
      },
    ],
  },
  {
    mistake: 'a variable of a shell',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: $ad_seconds
`,
    findings: [
      {
        at: '5:13',
        code: 'wrong-type',
        summary: '`ad` must be a whole number or a map, not "$ad_seconds"',
        hint: 'Write ${ad_seconds} for a variable.',
      },
    ],
  },
  {
    mistake: 'a quoted placeholder of another program',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
      - ad: "{{ ad_seconds }}"
`,
    findings: [
      {
        at: '5:13',
        code: 'wrong-type',
        summary: '`ad` must be a whole number or a map, not "{{ ad_seconds }}"',
        hint: 'Write ${ad_seconds} for a variable.',
      },
    ],
  },
  {
    mistake: 'a word for a number',
    text: `
playlists:
  evening:
    repeat: forever
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'wrong-type',
        summary: '`repeat` must be a whole number, not "forever"',
        hint: 'Write a whole number, such as -1.',
      },
    ],
  },
  {
    mistake: 'a number in quotes',
    text: `
playlists:
  evening:
    repeat: "3"
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '3:13', code: 'wrong-type', summary: '`repeat` must be a whole number, not "3"', hint: 'Write it without quotes.' }],
  },
  {
    mistake: 'typographic quotes',
    text: `
playlists:
  evening:
    repeat: \u201c1\u201d
    playlist:
      - beam: ${ID}
`,
    findings: [
      { at: '3:13', code: 'wrong-type', summary: '`repeat` must be a whole number, not "“1”"', hint: 'Write a whole number, such as -1.' },
    ],
  },
  {
    mistake: 'a comment right after a number',
    text: `
playlists:
  evening:
    repeat: 1#once
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'wrong-type',
        summary: '`repeat` must be a whole number, not "1#once"',
        hint: 'Write only the number: 1. A comment needs a space in front of #.',
      },
    ],
  },
  {
    mistake: 'a comment right after a text',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}#intro
`,
    findings: [
      {
        at: '4:15',
        code: 'unknown-asset',
        summary: `${ID}#intro is neither in the catalog nor an asset ID`,
        hint: 'An asset ID has 32 hexadecimal characters: correct it, or name it under `assets`. A comment needs a space in front of #.',
      },
    ],
  },
  {
    mistake: 'a comment with slashes',
    text: `
playlists:
  evening:
    playlist:
      // the intro
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:7',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'an asset without `id`',
    text: `
assets:
  intro: ${ID}
playlists: {}
`,
    findings: [{ at: '2:10', code: 'wrong-type', summary: `\`intro\` must be a map, not "${ID}"`, hint: `Write \`id: ${ID}\`` }],
  },
  {
    mistake: 'yes for a switch of 0 and 1',
    text: `
playlists:
  evening:
    active: yes
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'invalid-value',
        summary: '`active` must be one of 0, 1, false, true; it is "yes"',
        hint: 'Write true in its place; only true and false are switches in YAML 1.2.',
      },
    ],
  },
  {
    mistake: 'off for a switch of 0 and 1',
    text: `
playlists:
  evening:
    skip_drm: off
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:15',
        code: 'invalid-value',
        summary: '`skip_drm` must be one of 0, 1, false, true; it is "off"',
        hint: 'Write false in its place; only true and false are switches in YAML 1.2.',
      },
    ],
  },
  {
    mistake: 'yes for true',
    text: `
assets:
  intro: { id: ${ID}, studio_drm: yes }
`,
    findings: [
      {
        at: '2:62',
        code: 'wrong-type',
        summary: '`studio_drm` must be true or false, not "yes"',
        hint: 'Write true in its place; only true and false are switches in YAML 1.2.',
      },
    ],
  },
  {
    mistake: '1 for true',
    text: `
assets:
  intro: { id: ${ID}, studio_drm: 1 }
`,
    findings: [
      {
        at: '2:62',
        code: 'wrong-type',
        summary: '`studio_drm` must be true or false, not 1',
        hint: 'Write true in its place; only true and false are switches in YAML 1.2.',
      },
    ],
  },
  {
    mistake: 'a word that is not allowed',
    text: `
static_key: { scope: some }
`,
    findings: [{ at: '1:22', code: 'invalid-value', summary: '`scope` must be one of all, specific, none; it is "some"', hint: undefined }],
  },
  {
    mistake: 'a setting twice',
    text: `
playlists:
  evening:
    repeat: 1
    playlist:
      - beam: ${ID}
    repeat: 2
`,
    findings: [
      {
        at: '6:5',
        code: 'duplicate-key',
        summary: '`repeat` is defined twice in one map',
        hint: 'The other one is in a.yaml:3. Keep one of them.',
      },
    ],
  },
  {
    mistake: 'a playlist twice',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:3',
        code: 'duplicate-key',
        summary: '`evening` is defined twice in one map',
        hint: 'The other one is in a.yaml:2. Keep one of them.',
      },
    ],
  },
  {
    mistake: 'a section twice',
    text: `
playlists:
  a:
    playlist:
      - beam: ${ID}
playlists:
  b:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:1',
        code: 'duplicate-key',
        summary: '`playlists` is defined twice in one map',
        hint: 'The other one is in a.yaml:1. Keep one of them.',
      },
    ],
  },
  {
    mistake: 'a playlist in two documents',
    text: `
playlists:
  a:
    playlist:
      - beam: ${ID}
---
playlists:
  a:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '7:3',
        code: 'duplicate-key',
        summary: '`a` is defined twice in one source',
        hint: 'The other one is in a.yaml:2. Keep one of them.',
      },
    ],
  },
  {
    mistake: 'a description twice',
    text: `
playlists:
  a:
    desc: Evening
    playlist:
      - beam: ${ID}
      - ad: 30
      - beam: ${ID}
  b:
    desc: Evening
    playlist:
      - beam: ${ID}
      - beam: ${ID}
`,
    findings: [
      {
        at: '9:11',
        code: 'duplicate-desc',
        summary: 'b has the same description as a: Evening',
        hint: 'The other one is in a.yaml:3. Give each playlist a `desc` of its own, or bind each of them to its live playlist under `adopt`.',
      },
    ],
  },
  {
    mistake: 'a description that is the key of another playlist',
    text: `
playlists:
  a:
    playlist:
      - beam: ${ID}
      - beam: ${ID}
  b:
    desc: a
    playlist:
      - beam: ${ID}
      - beam: ${ID}
`,
    findings: [
      {
        at: '7:11',
        code: 'duplicate-desc',
        summary: 'b has the same description as a: a',
        hint: 'The other one is in a.yaml:2. Give each playlist a `desc` of its own, or bind each of them to its live playlist under `adopt`.',
      },
    ],
  },
  {
    mistake: 'two playlists of the same asset alone',
    text: `
playlists:
  a:
    playlist:
      - beam: ${ID}
  b:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '6:5',
        code: 'asset-claimed-twice',
        summary: `playlist/b claims the playlist of asset ${ID}, which playlist/a claims already`,
        hint: 'The other one is in a.yaml:3. Declare it once. A second live playlist of this one asset needs its own ID under `adopt`.',
      },
    ],
  },
  {
    mistake: 'an asset twice in a group',
    text: `
smart_starts:
  vod:
    assets: [${ID}, ${ID}]
`,
    findings: [
      {
        at: '3:48',
        code: 'asset-repeated',
        summary: `${ID} is listed twice in this group`,
        hint: 'The other one is in a.yaml:3. List it once.',
      },
    ],
  },
  {
    mistake: 'an asset in two groups',
    text: `
smart_starts:
  vod:
    assets: [${ID}]
  live:
    assets: [${ID}]
`,
    findings: [
      {
        at: '5:14',
        code: 'asset-claimed-twice',
        summary: `smart-start/live/${ID} claims the playlist of asset ${ID}, which smart-start/vod/${ID} claims already`,
        hint: 'The other one is in a.yaml:3. Declare it once. A second live playlist of this one asset needs its own ID under `adopt`.',
      },
    ],
  },
  {
    mistake: 'an asset with two names',
    text: `
assets:
  intro: { id: ${ID} }
  other: { id: ${ID} }
`,
    findings: [
      {
        at: '3:16',
        code: 'asset-id-repeated',
        summary: 'other has the same asset ID as intro',
        hint: 'The other one is in a.yaml:2. Give each asset one name: keep one of the two, and use it everywhere.',
      },
    ],
  },
  {
    mistake: 'a misspelled name of an asset',
    text: `
assets:
  intro: { id: ${ID} }
playlists:
  evening:
    playlist:
      - beam: intor
`,
    findings: [
      {
        at: '6:15',
        code: 'unknown-asset',
        summary: 'intor is neither in the catalog nor an asset ID',
        hint: 'An asset ID has 32 hexadecimal characters: correct it, or name it under `assets`.',
      },
    ],
  },
  {
    mistake: 'an ID that is too short',
    text: `
playlists:
  evening:
    playlist:
      - beam: 0c5467d77c54dc4b739db2cd832143a
`,
    findings: [
      {
        at: '4:15',
        code: 'unknown-asset',
        summary: '0c5467d77c54dc4b739db2cd832143a is neither in the catalog nor an asset ID',
        hint: 'An asset ID has 32 hexadecimal characters: correct it, or name it under `assets`.',
      },
    ],
  },
  {
    mistake: 'an ID of digits that begins with zeros',
    text: `
playlists:
  evening:
    playlist:
      - beam: 00123456789012345678901234567890
`,
    findings: [
      {
        at: '4:15',
        code: 'unquoted-id',
        summary: '`beam` must be a text or a map, but YAML reads `00123456789012345678901234567890` as a number',
        hint: 'Put it in quotes: "00123456789012345678901234567890"',
      },
    ],
  },
  {
    mistake: 'an ID of digits',
    text: `
playlists:
  evening:
    playlist:
      - beam: 12345678901234567890123456789012
`,
    findings: [
      {
        at: '4:15',
        code: 'unquoted-id',
        summary: '`beam` must be a text or a map, but YAML reads `12345678901234567890123456789012` as a number',
        hint: 'Put it in quotes: "12345678901234567890123456789012"',
      },
    ],
  },
  {
    mistake: 'an ID that reads as a number with an exponent',
    text: `
playlists:
  evening:
    playlist:
      - beam: 123456789012345678901234567890e1
`,
    findings: [
      {
        at: '4:15',
        code: 'unquoted-id',
        summary: '`beam` must be a text or a map, but YAML reads `123456789012345678901234567890e1` as a number',
        hint: 'Put it in quotes: "123456789012345678901234567890e1"',
      },
    ],
  },
  {
    mistake: 'a text that reads as a number with an exponent',
    text: `
playlists:
  evening:
    desc: 1e5
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'unquoted-id',
        summary: '`desc` must be a text, but YAML reads `1e5` as a number',
        hint: 'Put it in quotes: "1e5"',
      },
    ],
  },
  {
    mistake: 'a number for a text',
    text: `
playlists:
  evening:
    desc: 24
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'unquoted-id',
        summary: '`desc` must be a text, but YAML reads `24` as a number',
        hint: 'Put it in quotes: "24"',
      },
    ],
  },
  {
    mistake: 'a year for a day',
    text: `
drm_policies:
  premium: {}
ignore_changes:
  - address: drm-policy/premium
    fields: [/fairplay/rental]
    until: 2027
`,
    findings: [{ at: '6:12', code: 'wrong-type', summary: '`until` must be a text, not 2027', hint: 'Write for example 2027-03-31' }],
  },
  {
    mistake: 'a number for an address',
    text: `
drm_policies:
  premium: {}
moved:
  - { from: 1, to: drm-policy/premium }
`,
    findings: [{ at: '4:13', code: 'wrong-type', summary: '`from` must be a text, not 1', hint: 'Write for example playlist/old-name' }],
  },
  {
    mistake: 'a value for the type of a parameter',
    text: `
templates:
  show:
    params: { pod: 60 }
`,
    findings: [{ at: '3:20', code: 'wrong-type', summary: '`pod` must be a text or a map, not 60', hint: 'A type, or { type, default }.' }],
  },
  {
    mistake: 'true for the type of a parameter',
    text: `
templates:
  show:
    params: { pod: true }
`,
    findings: [
      { at: '3:20', code: 'wrong-type', summary: '`pod` must be a text or a map, not true', hint: 'A type, or { type, default }.' },
    ],
  },
  {
    mistake: 'a number for the ID of a slicer',
    text: `
static_key: { scope: specific, slicer_ids: [12] }
`,
    findings: [
      {
        at: '1:45',
        code: 'unquoted-id',
        summary: '`slicer_ids[0]` must be a text, but YAML reads `12` as a number',
        hint: 'Put it in quotes: "12"',
      },
    ],
  },
  {
    mistake: 'a number with leading zeros',
    text: `
playlists:
  evening:
    repeat: 007
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'ambiguous-number',
        summary: 'a leading zero means different things in different versions of YAML',
        hint: 'Write the number without it. If it is an ID or a text, put it in quotes.',
      },
    ],
  },
  {
    mistake: 'a misspelled key in a file with line ends of Windows',
    text: `
playlists:\r
  evening:\r
    playlist:\r
      - baem: ${ID}\r
`,
    findings: [{ at: '4:9', code: 'unknown-key', summary: 'unknown key `baem` in `playlist[0]`', hint: 'Did you mean `beam`?' }],
  },
  {
    mistake: 'carriage returns alone',
    text: `
playlists:\r  evening:\r    playlist:\r      - beam: ${ID}\r`,
    findings: [
      {
        at: '1:11',
        code: 'yaml-syntax',
        summary: 'there is a carriage return without a line feed here',
        hint: 'Save the file with the line ends of Unix or Windows.',
      },
      {
        at: '1:22',
        code: 'yaml-syntax',
        summary: 'there is a carriage return without a line feed here',
        hint: 'Save the file with the line ends of Unix or Windows.',
      },
      {
        at: '1:36',
        code: 'yaml-syntax',
        summary: 'there is a carriage return without a line feed here',
        hint: 'Save the file with the line ends of Unix or Windows.',
      },
      {
        at: '1:83',
        code: 'yaml-syntax',
        summary: 'there is a carriage return without a line feed here',
        hint: 'Save the file with the line ends of Unix or Windows.',
      },
    ],
  },
  {
    mistake: 'a byte order mark within the file',
    text: `
playlists:
\ufeff  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'null',
        summary: '`playlists:` has no value',
        hint: 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.',
      },
      {
        at: '2:1',
        code: 'yaml-syntax',
        summary: 'there is an invisible byte order mark here',
        hint: 'Remove it; it is allowed only at the beginning of the file.',
      },
    ],
  },
  {
    mistake: 'no-break spaces as indentation',
    text: `
playlists:
\u00a0\u00a0evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'null',
        summary: '`playlists:` has no value',
        hint: 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.',
      },
      {
        at: '2:1',
        code: 'unknown-key',
        summary: 'unknown key `  evening`',
        hint: 'The key contains white space other than spaces, such as a no-break space: replace it by spaces.',
      },
    ],
  },
  {
    mistake: 'a no-break space after a colon',
    text: `
playlists:
  evening:
    desc:\u00a0Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'yaml-syntax',
        summary: 'a colon with a space after it is missing on this line',
        hint: 'Write `key: value`. A text of several lines needs quotes; a comment begins with #.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a star',
    text: `
playlists:
  evening:
    desc: *evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'alias',
        summary: 'there is no anchor of this name before the alias',
        hint: 'Quote the text if it was not meant as an alias.',
      },
    ],
  },
  {
    mistake: 'a word between stars',
    text: `
playlists:
  evening:
    desc: *Best* of
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'this alias or anchor is not valid',
        hint: 'Put a text that begins with * or & in quotes.',
      },
    ],
  },
  {
    mistake: 'a star and a space in front of a text',
    text: `
playlists:
  evening:
    desc: * new
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'this alias or anchor is not valid',
        hint: 'Put a text that begins with * or & in quotes.',
      },
    ],
  },
  {
    mistake: 'a text that begins with an ampersand',
    text: `
playlists:
  evening:
    desc: & more
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'this alias or anchor is not valid',
        hint: 'Put a text that begins with * or & in quotes.',
      },
    ],
  },
  {
    mistake: 'a merge key',
    text: `
base: &base
  repeat: 1
playlists:
  evening:
    <<: *base
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'unknown-key',
        summary: 'unknown key `base`',
        hint: 'Known here: adopt, assets, assets_from, defaults, drm_policies, drm_policies_from, entry_lists, ignore_changes, key_rotation_schedule, moved, playlists, playlists_from, removed, smart_starts, smart_starts_from, static_key, templates, vmp_reject_statuses.',
      },
      {
        at: '5:5',
        code: 'unsupported-key',
        summary: 'merge keys (`<<`) are not supported',
        hint: 'Repeat the lines, or overlay them in a later source.',
      },
    ],
  },
  {
    mistake: 'a description of two lines',
    text: `
playlists:
  evening:
    desc: |
      Evening
      block
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'control-character',
        summary: 'the description holds control characters',
        hint: 'Viewers see it as a name: write it in one line, without tabs and other control characters.',
      },
      {
        at: '3:11',
        code: 'name-spaces',
        summary:
          'the description begins or ends with a space, and the service may store it in another form, under which it is not found again',
        hint: 'Remove the space.',
      },
    ],
  },
  {
    mistake: 'a block text that is not indented',
    text: `
playlists:
  evening:
    desc: |
    Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:5',
        code: 'yaml-syntax',
        summary: 'this line of a block text begins too far left',
        hint: 'Indent it more than the key, and not less than the first line.',
      },
    ],
  },
  {
    mistake: 'a block text on the line of its sign',
    text: `
playlists:
  evening:
    desc: | Evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'there is text on the line of | or >',
        hint: 'Put a text that begins with | or > in quotes; a block text begins on the next line.',
      },
    ],
  },
  {
    mistake: 'a block text with a line too far left',
    text: `
playlists:
  evening:
    desc: >
        Evening
      block
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '5:7',
        code: 'yaml-syntax',
        summary: 'this line of a block text begins too far left',
        hint: 'Indent it more than the key, and not less than the first line.',
      },
    ],
  },
  {
    mistake: 'a text of two lines that contains a colon',
    text: `
playlists:
  evening:
    desc: Evening
      at: eight
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:7',
        code: 'yaml-syntax',
        summary: 'this line begins in column 7, its siblings in column 5',
        hint: 'Begin it in column 5: the keys of one map begin in the same column. A text of several lines needs quotes.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a greater-than sign',
    text: `
playlists:
  evening:
    desc: > evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'there is text on the line of | or >',
        hint: 'Put a text that begins with | or > in quotes; a block text begins on the next line.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a vertical bar',
    text: `
playlists:
  evening:
    desc: |evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'there is text on the line of | or >',
        hint: 'Put a text that begins with | or > in quotes; a block text begins on the next line.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a dash',
    text: `
playlists:
  evening:
    desc: - evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'a list cannot begin on the line of its key',
        hint: 'Begin the list on the next line, or put a text that begins with - or ? in quotes.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a question mark',
    text: `
playlists:
  evening:
    desc: ? evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'a list cannot begin on the line of its key',
        hint: 'Begin the list on the next line, or put a text that begins with - or ? in quotes.',
      },
    ],
  },
  {
    mistake: 'a text that begins with an exclamation mark',
    text: `
playlists:
  evening:
    desc: !new show
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'this tag is not supported',
        hint: 'Put a text that begins with ! in quotes; a tag has no meaning here.',
      },
    ],
  },
  {
    mistake: 'a text that begins with an at sign',
    text: `
playlists:
  evening:
    desc: @home
    playlist:
      - beam: ${ID}
`,
    findings: [
      { at: '3:11', code: 'yaml-syntax', summary: 'a key or text cannot begin with @, % or a backquote', hint: 'Put it in quotes.' },
    ],
  },
  {
    mistake: 'a text that begins with a percent sign',
    text: `
playlists:
  evening:
    desc: %best
    playlist:
      - beam: ${ID}
`,
    findings: [
      { at: '3:11', code: 'yaml-syntax', summary: 'a key or text cannot begin with @, % or a backquote', hint: 'Put it in quotes.' },
    ],
  },
  {
    mistake: 'a text that begins with a backquote',
    text: `
playlists:
  evening:
    desc: \`best\`
    playlist:
      - beam: ${ID}
`,
    findings: [
      { at: '3:11', code: 'yaml-syntax', summary: 'a key or text cannot begin with @, % or a backquote', hint: 'Put it in quotes.' },
    ],
  },
  {
    mistake: 'a text that begins with brackets',
    text: `
playlists:
  evening:
    desc: [New] show
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:17',
        code: 'yaml-syntax',
        summary: 'there is text after the closing bracket',
        hint: 'Put a text that begins with a bracket in quotes.',
      },
    ],
  },
  {
    mistake: 'a text that begins with a bracket',
    text: `
playlists:
  evening:
    desc: {New show
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'the bracket that opens here is not closed',
        hint: 'Write } at its end, or put a text that begins with a bracket in quotes.',
      },
    ],
  },
  {
    mistake: 'a placeholder of another program',
    text: `
playlists:
  evening:
    desc: {{ name }}
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'double brackets make no variable',
        hint: 'Write ${name} for a variable.',
      },
    ],
  },
  {
    mistake: 'a placeholder of another program in front of a text',
    text: `
playlists:
  evening:
    desc: {{brand}} evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'yaml-syntax',
        summary: 'double brackets make no variable',
        hint: 'Write ${brand} for a variable.',
      },
    ],
  },
  {
    mistake: 'a variable without quotes between brackets',
    text: `
playlists:
  evening: { template: show, with: { title: \${brand}, first: x } }
`,
    findings: [
      {
        at: '2:45',
        code: 'yaml-syntax',
        summary: 'a variable is without quotes between brackets',
        hint: 'Within { } and [ ], put ${brand} in quotes: "${brand}". The quotes also go around the text beside it.',
      },
    ],
  },
  {
    mistake: 'two variables without quotes between brackets',
    text: `
playlists_from:
  - { file: shows.csv, template: show, key: \${team}-\${number} }
`,
    findings: [
      {
        at: '2:45',
        code: 'yaml-syntax',
        summary: 'a variable is without quotes between brackets',
        hint: 'Within { } and [ ], put ${team} in quotes: "${team}". The quotes also go around the text beside it.',
      },
    ],
  },
  {
    mistake: 'a backslash in double quotes',
    text: `
playlists:
  evening:
    desc: "C:\\Movies"
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:14',
        code: 'yaml-syntax',
        summary: 'this escape is not valid in a double-quoted text',
        hint: 'Use single quotes to take every character as it is.',
      },
    ],
  },
  {
    mistake: 'a text that contains a colon',
    text: `
playlists:
  evening:
    desc: Kids: morning
    playlist:
      - beam: ${ID}
`,
    findings: [
      { at: '3:11', code: 'yaml-syntax', summary: 'a second colon on one line', hint: 'Quote a text that contains a colon and a space.' },
    ],
  },
  {
    mistake: 'a misspelled section',
    text: `
playlist:
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '1:1', code: 'unknown-key', summary: 'unknown key `playlist`', hint: 'Did you mean `playlists`?' }],
  },
  {
    mistake: 'a section in capitals',
    text: `
Playlists:
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '1:1', code: 'unknown-key', summary: 'unknown key `Playlists`', hint: 'Did you mean `playlists`?' }],
  },
  {
    mistake: 'an unknown section',
    text: `
channels:
  evening:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'unknown-key',
        summary: 'unknown key `channels`',
        hint: 'Known here: adopt, assets, assets_from, defaults, drm_policies, drm_policies_from, entry_lists, ignore_changes, key_rotation_schedule, moved, playlists, playlists_from, removed, smart_starts, smart_starts_from, static_key, templates, vmp_reject_statuses.',
      },
    ],
  },
  {
    mistake: 'a misspelled setting',
    text: `
playlists:
  evening:
    repaet: 1
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '3:5', code: 'unknown-key', summary: 'unknown key `repaet` in `evening`', hint: 'Did you mean `repeat`?' }],
  },
  {
    mistake: 'parameters without a template',
    text: `
playlists:
  evening:
    with: { title: Evening }
    playlist:
      - beam: ${ID}
`,
    findings: [{ at: '3:5', code: 'missing-key', summary: '`with` needs `template` beside it', hint: 'Write template: NAME.' }],
  },
  {
    mistake: 'a template among the defaults',
    text: `
defaults:
  drm_policies: { template: premium }
drm_policies:
  premium: {}
`,
    findings: [
      {
        at: '2:19',
        code: 'unknown-key',
        summary: 'unknown key `template` in `defaults` of drm_policies',
        hint: 'Known here: fairplay, playready, widevine, with.',
      },
    ],
  },
  {
    mistake: 'a key with an invisible character',
    text: `
playlists:
  evening:
    repeat\u200b: 1
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'unknown-key',
        summary: 'unknown key `repeat\u200b` in `evening`',
        hint: 'The key contains an invisible character: write it again.',
      },
    ],
  },
  {
    mistake: 'a setting at the top of the file',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
repeat: 1
`,
    findings: [
      {
        at: '5:1',
        code: 'unknown-key',
        summary: 'unknown key `repeat`',
        hint: 'It is a key of an entry of `playlists` or `smart_starts`: indent it below its entry.',
      },
    ],
  },
  {
    mistake: 'a setting beside its playlist',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
  repeat: 1
`,
    findings: [
      {
        at: '5:11',
        code: 'wrong-type',
        summary: '`repeat` must be a map, not 1',
        hint: '`repeat` is a key of an entry of this map: indent it below its entry.',
      },
    ],
  },
  {
    mistake: 'a playlist without its list',
    text: `
playlists:
  evening:
    desc: Evening
`,
    findings: [
      {
        at: '2:3',
        code: 'missing-key',
        summary: '`evening` needs the key `playlist`',
        hint: 'What is played, in this order: 1 to 100 assets, each of them optionally followed by an ad break. Assets of one codec only.',
      },
    ],
  },
  {
    mistake: 'a list of playlists',
    text: `
playlists:
  - desc: evening
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '1:1',
        code: 'wrong-type',
        summary: '`playlists` must be a map, not a list',
        hint: 'Write keys with a colon here, without a dash in front of them.',
      },
    ],
  },
  {
    mistake: 'a list for a playlist',
    text: `
playlists:
  evening:
    - beam: ${ID}
`,
    findings: [
      { at: '2:3', code: 'wrong-type', summary: '`evening` must be a map, not a list', hint: 'Write it below the key `playlist:`' },
    ],
  },
  {
    mistake: 'a map for a list of assets',
    text: `
smart_starts:
  vod:
    assets:
      beam: ${ID}
`,
    findings: [
      {
        at: '3:5',
        code: 'wrong-type',
        summary: '`assets` must be a list, not a map',
        hint: 'Write a list: each item on a line of its own, after a dash and a space.',
      },
    ],
  },
  {
    mistake: 'an ID for a list of assets',
    text: `
smart_starts:
  vod:
    assets: ${ID}
`,
    findings: [
      {
        at: '3:13',
        code: 'wrong-type',
        summary: `\`assets\` must be a list, not "${ID}"`,
        hint: 'Write a list: each item on a line of its own, after a dash and a space.',
      },
    ],
  },
  {
    mistake: 'an item with `beam` where an ID belongs',
    text: `
smart_starts:
  vod:
    assets:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:9',
        code: 'wrong-type',
        summary: '`assets[0]` must be a text, not a map',
        hint: 'Write one text. Quote it if it begins with a bracket or contains a colon and a space.',
      },
    ],
  },
  {
    mistake: 'a list for the sections',
    text: `
- playlists:
    evening: {}
`,
    findings: [
      {
        at: '1:1',
        code: 'wrong-type',
        summary: 'a source file must hold a map of sections',
        hint: 'Write a section such as `playlists:` at the top level.',
      },
    ],
  },
  {
    mistake: 'a word for the sections',
    text: `
playlists
`,
    findings: [
      {
        at: '1:1',
        code: 'wrong-type',
        summary: 'a source file must hold a map of sections',
        hint: 'Write a section such as `playlists:` at the top level.',
      },
    ],
  },
  {
    mistake: 'a section without content',
    text: `
playlists:
`,
    findings: [
      {
        at: '1:1',
        code: 'null',
        summary: '`playlists:` has no value',
        hint: 'Write {} or [] for managed and empty, null in a later source to remove it, or leave the line out.',
      },
    ],
  },
  {
    mistake: 'a playlist without content',
    text: `
playlists:
  evening:
`,
    findings: [
      {
        at: '2:3',
        code: 'null',
        summary: '`evening` has no value, and no earlier source, template or default has one that null could remove',
        hint: 'Write a value, or remove the line: absent settings have their defaults.',
      },
    ],
  },
  {
    mistake: 'a list without items',
    text: `
playlists:
  evening:
    playlist:
`,
    findings: [
      {
        at: '3:5',
        code: 'null',
        summary: '`playlist` has no value, and no earlier source, template or default has one that null could remove',
        hint: 'Write a value, or remove the line: absent settings have their defaults.',
      },
    ],
  },
  {
    mistake: 'a dash without an item',
    text: `
playlists:
  evening:
    playlist:
      -
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:8',
        code: 'null',
        summary: '`playlist[0]` has no value, and no earlier source, template or default has one that null could remove',
        hint: 'Write a value, or remove the line: absent settings have their defaults.',
      },
    ],
  },
  {
    mistake: 'an asset without a value',
    text: `
playlists:
  evening:
    playlist:
      - beam:
`,
    findings: [
      {
        at: '4:9',
        code: 'null',
        summary: '`beam` has no value, and no earlier source, template or default has one that null could remove',
        hint: 'Write a value, or remove the line: absent settings have their defaults.',
      },
    ],
  },
  {
    mistake: 'a merge conflict in a map',
    text: `
playlists:
  evening:
<<<<<<< HEAD
    desc: Evening
=======
    desc: Night
>>>>>>> branch
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:1',
        code: 'yaml-syntax',
        summary: 'this is an unresolved merge conflict',
        hint: 'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
      },
    ],
  },
  {
    mistake: 'a merge conflict of sections',
    text: `
<<<<<<< HEAD
playlists: {}
=======
assets: {}
>>>>>>> branch
`,
    findings: [
      {
        at: '1:1',
        code: 'yaml-syntax',
        summary: 'this is an unresolved merge conflict',
        hint: 'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
      },
    ],
  },
  {
    mistake: 'a merge conflict in a list',
    text: `
playlists:
  evening:
    playlist:
<<<<<<< HEAD
      - beam: ${ID}
=======
      - ad: 3
>>>>>>> branch
`,
    findings: [
      {
        at: '4:1',
        code: 'yaml-syntax',
        summary: 'this is an unresolved merge conflict',
        hint: 'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
      },
    ],
  },
  {
    mistake: 'the end of a merge conflict',
    text: `
playlists:
  evening:
    playlist:
      - beam: ${ID}
>>>>>>> branch
`,
    findings: [
      {
        at: '5:1',
        code: 'yaml-syntax',
        summary: 'this is an unresolved merge conflict',
        hint: 'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
      },
    ],
  },
  {
    mistake: 'the middle of a merge conflict',
    text: `
playlists:
  evening:
    desc: x
=======
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '4:1',
        code: 'yaml-syntax',
        summary: 'this is an unresolved merge conflict',
        hint: 'Keep the lines of one side, and remove those that begin with <<<<<<<, |||||||, ======= or >>>>>>>.',
      },
    ],
  },
  {
    mistake: 'a key with a space',
    text: `
playlists:
  evening show:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '2:3',
        code: 'invalid-key',
        summary: '`evening show` cannot be a key here',
        hint: 'Write for example `evening-show`. It must match ^[A-Za-z0-9][A-Za-z0-9._-]*$',
      },
    ],
  },
  {
    mistake: 'a key with a slash',
    text: `
playlists:
  a/b:
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '2:3',
        code: 'invalid-key',
        summary: '`a/b` cannot be a key here',
        hint: 'Write for example `a-b`. It must match ^[A-Za-z0-9][A-Za-z0-9._-]*$',
      },
    ],
  },
  {
    mistake: 'a variable that is not defined',
    text: `
playlists:
  evening:
    desc: "\${name}"
    playlist:
      - beam: ${ID}
`,
    findings: [
      {
        at: '3:11',
        code: 'unknown-variable',
        summary: 'no variable `name` in `vars` of this target',
        hint: 'Give it a value in `vars` of the target. Write $${ for a literal ${.',
      },
    ],
  },
];

test.each(mistakes)('a finding names the place of $mistake, and what to write', ({ text, findings }) => {
  const found = loadConfig({ 'a.yaml': text.slice(1) }, { kinds }).findings;
  expect(found.map(({ line, column, code, summary, hint }) => ({ at: `${line}:${column}`, code, summary, hint }))).toEqual(findings);
  const codes = [GENERAL_CODES, ...kinds.map(({ findingCodes }) => findingCodes)].flatMap((list) => Object.keys(list));
  expect(codes).toEqual(expect.arrayContaining(found.map(({ code }) => code)));
});

test.each([
  [
    'a description',
    {
      'a.yaml': 'playlists:\n  a: { desc: x, playlist: [{ beam: one }] }',
      'b.yaml': 'playlists:\n  b: { desc: x, playlist: [{ beam: two }] }',
    },
    'a.yaml:2',
  ],
  ['an asset in a text file', { 'a.yaml': 'smart_starts: { a: { assets_file: a.txt } }', 'a.txt': `one\n\ntwo\none\n` }, 'a.txt:1'],
  [
    'an asset in two text files',
    { 'a.yaml': 'smart_starts: { a: { assets_file: a.txt }, b: { assets_file: b.txt } }', 'a.txt': '# one\none\n', 'b.txt': 'one\n' },
    'a.txt:2',
  ],
  ['an asset ID', { 'a.yaml': 'assets: { a: { id: one } }', 'b.yaml': 'assets:\n  b: { id: one }' }, 'a.yaml:1'],
  [
    'a track',
    {
      'a.yaml':
        'drm_policies:\n  p:\n    widevine:\n      content_key_specs:\n        - { track_type: ALL }\n        - { track_type: ALL }',
    },
    'a.yaml:5',
  ],
  ['an item of a list', { 'a.yaml': 'static_key:\n  scope: specific\n  slicer_ids:\n    - one\n    - two\n    - one' }, 'a.yaml:4'],
  [
    'a remote ID',
    {
      'a.yaml':
        'playlists:\n  a: { playlist: [{ beam: one }] }\n  b: { playlist: [{ beam: two }] }\nadopt:\n  playlist/a: x\n  playlist/b: x',
    },
    'a.yaml:5',
  ],
  [
    'an old address',
    {
      'a.yaml':
        'playlists: { b: { playlist: [{ beam: one }] }, c: { playlist: [{ beam: two }] } }\nmoved:\n  - { from: playlist/a, to: playlist/b }\n  - { from: playlist/a, to: playlist/c }',
    },
    'a.yaml:3',
  ],
])('a finding about %s that is there twice names file and line of the other one', (_what, files, other) => {
  const errors = loadConfig(files, { kinds }).findings.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ hint }) => hint)).toContainEqual(expect.stringMatching(new RegExp(`^The other one is in ${other}\\.`)));
});

test('a finding about two guards with one ID names file and line of the first one', () => {
  const text = `${projectText(['a.yaml'])}\nguards:\n${"  - { id: a, message: m, warn: 'true' }\n".repeat(2)}`;
  const { findings } = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }]));
  expect(findings.filter(({ code }) => code === 'duplicate-item')).toMatchObject([
    { hint: expect.stringMatching(/^The other one is in upkeep\.yaml:9\./) },
  ]);
});

interface ProjectMistake extends Pick<Mistake, 'mistake' | 'findings'> {
  readonly baseUrl: string;
  /** A further line of the target. */
  readonly line: string;
}

const projectMistakes: readonly ProjectMistake[] = [
  {
    mistake: 'a list for a variable',
    baseUrl: 'https://services.example.com',
    line: 'vars: { brand: [Fresh] }',
    findings: [
      {
        at: '7:20',
        code: 'wrong-type',
        summary: '`brand` must be a text or a number or true or false, not a list',
        hint: 'Write one text. Quote it if it begins with a bracket or contains a colon and a space.',
      },
    ],
  },
  {
    mistake: 'an address without https',
    baseUrl: 'services.example.com',
    line: 'vars: {}',
    findings: [
      {
        at: '4:15',
        code: 'base-url',
        summary: '`base_url` must be an https address without user, query or fragment',
        hint: 'Write https://services.example.com',
      },
    ],
  },
];

test.each(projectMistakes)('a finding in upkeep.yaml names the place of $mistake, and what to write', ({ baseUrl, line, findings }) => {
  const credentials = 'credentials: { owner: { env: OWNER }, api_key: { env: KEY } }';
  const text = `version: 1\ntargets:\n  main:\n    base_url: ${baseUrl}\n    ${credentials}\n    sources: [a.yaml]\n    ${line}\n`;
  const found = loadProject(memoryFiles([{ name: 'upkeep.yaml', text }])).findings;
  expect(found.map(({ line: at, column, code, summary, hint }) => ({ at: `${at}:${column}`, code, summary, hint }))).toEqual(findings);
});
