/**
 * Makes the pictures of the READMEs from what `film.mjs` took: `make pictures`.
 */

import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const SHOTS = path.resolve(import.meta.dirname, '../../shots');
const PICTURES = path.resolve(import.meta.dirname, '../../../../editor-client/vscode/pictures');
const QUALITY = 80;
const MOST_BYTES = 1_500_000;
/** Nobody wants to watch a machine think. */
const LONGEST_MS = 1300;
const SHORTEST_MS = 50;

const STILLS = ['explain', 'chat', 'findings', 'chinese', 'chinese-findings'];

async function makeStill(name) {
  const file = path.join(PICTURES, `${name}.webp`);
  await sharp(path.join(SHOTS, `picture-${name}.png`)).webp({ quality: QUALITY }).toFile(file);
}

/** The frames that differ from the one before, each with the time for which it stands. */
async function readFrames() {
  const folder = path.join(SHOTS, 'film');
  const taken = JSON.parse(readFileSync(path.join(folder, 'times.json'), 'utf8'));
  const frames = [];
  for (const { file, at, stands } of taken) {
    const png = readFileSync(path.join(folder, file));
    const last = frames.at(-1);
    if (last?.png.equals(png)) {
      last.stands = stands ?? last.stands;
    } else {
      frames.push({ png, at, stands });
    }
  }
  return frames.map(({ png, at, stands }, index) => {
    const until = (frames[index + 1]?.at ?? at) - at;
    return { png, ms: stands ?? Math.min(Math.max(Math.round(until), SHORTEST_MS), LONGEST_MS) };
  });
}

async function makeFilm() {
  const frames = await readFrames();
  const file = path.join(PICTURES, 'film.gif');
  const pictures = frames.map(({ png }) => png);
  await sharp(pictures, { join: { animated: true } })
    .gif({ delay: frames.map(({ ms }) => ms), colours: 64, dither: 0, interFrameMaxError: 4 })
    .toFile(file);
  const { size } = statSync(file);
  console.log(`${file}: ${frames.length} frames, ${size} bytes`);
  if (size > MOST_BYTES) {
    throw new Error(`the film has ${size} bytes; a page bears ${MOST_BYTES}`);
  }
}

mkdirSync(PICTURES, { recursive: true });
for (const name of STILLS) {
  await makeStill(name);
}
await makeFilm();
