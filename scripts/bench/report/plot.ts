/** Draws a report: how many times as fast as the hand-written server each contestant is, on a logarithmic scale (SVG). */

import { yardstick } from './figures';
import { figuresFor, mainConnections, type Report } from './report';
import { meanRatio } from './tables';

const width = 960;
const left = 330;
const right = 70;
const top = 92;
const rowHeight = 38;
const barHeight = 18;

const colours = { ours: '#0969da', peer: '#8c959f', floor: '#d0d7de' } as const;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly colour: string;
  readonly mean: number;
  readonly ratios: readonly number[];
}

const rowsOf = (report: Report, connections: number): Row[] =>
  report.entrants
    .flatMap(({ id, title, kind, durability }): Row[] => {
      const mean = meanRatio(report, id, connections);
      if (mean === undefined || durability === 'unsynced') return [];
      const figures = figuresFor(report, id, connections);
      const ratios = figures.flatMap(({ ratio }) => (ratio === undefined ? [] : [ratio]));
      return [{ id, title, colour: colours[kind], mean, ratios }];
    })
    .sort((one, other) => other.mean - one.mean);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, words: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(words)}</text>`;

/** Long titles take two lines, parted at a plus or a comma. */
const titleLines = (title: string): readonly string[] => {
  const longest = 44;
  if (title.length <= longest) return [title];
  const at = Math.max(title.lastIndexOf(' + ', longest), title.lastIndexOf(', ', longest));
  return at < 0 ? [title] : [title.slice(0, at + 1).trim(), title.slice(at + 1).trim()];
};

/** The marks of the scale: 1, 2 and 5 of each power of ten. */
const marksBetween = (low: number, high: number): number[] =>
  [0.001, 0.01, 0.1, 1, 10, 100, 1000]
    .flatMap((power) => [power, 2 * power, 5 * power])
    .filter((mark) => mark >= low && mark <= high);

const ratioText = (ratio: number): string =>
  `${ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2)}×`;

type Place = (ratio: number) => number;

const gridLine =
  (place: Place, bottom: number) =>
  (mark: number): string => {
    const x = place(mark).toFixed(1);
    const stroke = mark === 1 ? '#57606a' : '#eaeef2';
    return (
      `<line x1="${x}" y1="${top - 8}" x2="${x}" y2="${bottom}" stroke="${stroke}"/>` +
      text(place(mark), top - 14, `${mark}×`, 'text-anchor="middle" class="small"')
    );
  };

const rowSvg =
  (place: Place) =>
  ({ id, title, colour, mean, ratios }: Row, index: number): string => {
    const middle = top + rowHeight * index + rowHeight / 2;
    const [from, to] = [1, mean].map(place).sort((one, other) => one - other) as [number, number];
    const weight = id === 'ours' ? ' font-weight="600"' : '';
    const lines = titleLines(title);
    const names = lines.map((line, number) =>
      text(
        left - 16,
        middle + 4.5 + (number - (lines.length - 1) / 2) * 14,
        line,
        `text-anchor="end"${weight}`,
      ),
    );
    const dots = ratios.map(
      (ratio) =>
        `<circle cx="${place(ratio).toFixed(1)}" cy="${middle}" r="3" fill="#24292f" fill-opacity="0.35"/>`,
    );
    return [
      ...names,
      `<rect x="${from.toFixed(1)}" y="${middle - barHeight / 2}" width="${Math.max(2, to - from).toFixed(1)}" height="${barHeight}" rx="2" fill="${colour}"/>`,
      ...dots,
      text(width - 16, middle + 4.5, ratioText(mean), `text-anchor="end" class="figure"${weight}`),
    ].join('\n');
  };

const style = `text{font:13px -apple-system,BlinkMacSystemFont,"Segoe UI",Helvetica,Arial,sans-serif;fill:#24292f}
.title{font-size:17px;font-weight:600}.small{font-size:11px;fill:#57606a}.figure{font-variant-numeric:tabular-nums}`;

/** The plot as an SVG document. */
export const plotSvg = (report: Report): string => {
  const connections = mainConnections(report.connections);
  const rows = rowsOf(report, connections);
  const all = rows.flatMap(({ mean, ratios }) => [mean, ...ratios]);
  const low = Math.min(0.5, ...all) / 1.15;
  const high = Math.max(2, ...all) * 1.15;
  const scale = (width - left - right) / Math.log(high / low);
  const place: Place = (ratio) => left + Math.log(ratio / low) * scale;
  const bottom = top + rowHeight * rows.length + 4;
  const height = bottom + 34;
  const { machine, pets } = report;
  const marks = marksBetween(low, high);
  // Marks of a wide scale would run into each other: powers of ten alone are left then.
  const powers = marks.filter((mark) => Number.isInteger(Math.round(Math.log10(mark) * 1e6) / 1e6));
  const shown = marks.length > 12 ? powers : marks;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Requests a second relative to the ${yardstick} server</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    text(24, 34, 'Requests a second, relative to a hand-written server', 'class="title"'),
    text(
      24,
      54,
      `${connections} connections, one core for the server; logarithmic scale; ${pets.toLocaleString('en')} pets stored; Node.js ${machine.node}`,
      'class="small"',
    ),
    ...shown.map(gridLine(place, bottom)),
    ...rows.map(rowSvg(place)),
    text(left, bottom + 20, 'bar: geometric mean; dots: the single scenarios', 'class="small"'),
    '</svg>',
    '',
  ].join('\n');
};
