// The serial floor: the least that any plan has to do, one step after the other, as a bare script: read the files, parse them, fetch the two lists,
// parse those. A program that overlaps the steps could stay below it.
// Arguments: the folder and the URL.
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { signature } from './signature.mjs';

const [folder = '.', url = ''] = process.argv.slice(2);

function listAt(path) {
  return new Promise((resolve, reject) => {
    get(`${url}${path}?${signature()}`, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve(JSON.parse(Buffer.concat(chunks).toString()));
    }).on('error', reject);
  });
}

const texts = readdirSync(join(folder, 'config')).map((file) => [file, readFileSync(join(folder, 'config', file), 'utf8')]);
const sources = texts.map(([file, text]) => (file.endsWith('.yaml') ? load(text) : text.split('\n')));
const lists = await Promise.all([listAt('/api/v4/linear-playlist'), listAt('/api/v3/drm/policies')]);
process.stdout.write(`${sources.length} files, ${lists.map((list) => Object.keys(list).join(' ')).join(', ')}\n`);
