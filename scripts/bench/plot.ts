/** The picture (SVG) of speed and memory by size: level lines are the aim. */

import type { FlatComparison, FlatPoint } from './flat';

const width = 960;
const left = 64;
const gap = 56;
const top = 92;
const speedHeight = 210;
const memoryTop = top + speedHeight + 46;
const memoryHeight = 90;
const height = memoryTop + memoryHeight + 44;

const colours = ['#0969da', '#bc4c00'] as const;
const dashes = ['', '7 4', '2 3'] as const;

const style = `text{font:12px -apple-system,BlinkMacSystemFont,"Segoe UI",Helvetica,Arial,sans-serif;fill:#24292f}
.title{font-size:16px;font-weight:600}.small{font-size:11px;fill:#57606a}.end{text-anchor:end}.middle{text-anchor:middle}
polyline{fill:none;stroke-width:2}.grid{stroke:#eaeef2}`;

const text = (x: number, y: number, words: string, style = ''): string => {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x.toFixed(1)}" y="${y}" class="${style}">${escaped}</text>`;
};

const segment = (x1: number, x2: number, y: number, attributes: string): string =>
  `<line x1="${x1.toFixed(1)}" x2="${x2.toFixed(1)}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" ${attributes}/>`;

const stroke = (database: number, scenario: number): string =>
  `stroke="${colours[database % colours.length]}" stroke-dasharray="${dashes[scenario % dashes.length]}"`;

/** The place at which a value is drawn. */
type Scale = (value: number) => number;

const logarithmic = (lowest: number, highest: number, from: number, to: number): Scale => {
  const span = Math.log(highest / lowest) || 1;
  return (value) => from + ((to - from) * Math.log(value / lowest)) / span;
};

/** Returns the marks of an axis: the powers of ten from the first below the least value to the first above the greatest. */
const powersOfTen = (values: readonly number[]): readonly number[] => {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const greatest = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from(
    { length: Math.max(1, greatest - least) + 1 },
    (_, index) => 10 ** (least + index),
  );
};

/** Draws a panel for each thing that is varied, speed above memory, with the same scales in all. */
export const plotSvg = (comparisons: readonly FlatComparison[]): string => {
  const all = comparisons.flatMap(({ series }) => series);
  const points = all.flatMap((one) => one.points);
  const speedMarks = powersOfTen(
    points.flatMap(({ figures }) => figures.map((one) => one.perSecond)),
  );
  const speed = logarithmic(speedMarks[0] ?? 1, speedMarks.at(-1) ?? 1, top + speedHeight, top);
  const mostMemory = Math.ceil(Math.max(1, ...points.map((one) => one.megabytes)) / 100) * 100;
  const memory: Scale = (value) => memoryTop + memoryHeight * (1 - value / mostMemory);
  const panelWidth = (width - left - gap * comparisons.length) / comparisons.length;

  const panel = ({ varied, series }: FlatComparison, index: number): string[] => {
    const start = left + index * (panelWidth + gap);
    const end = start + panelWidth;
    const counts = (series[0]?.points ?? []).map(({ count }) => count);
    const x = logarithmic(Math.min(...counts), Math.max(...counts), start + 12, end - 12);
    const line = (
      scale: Scale,
      of: readonly FlatPoint[],
      attributes: string,
      value: (point: FlatPoint) => number,
    ): string => {
      const places = of.map(
        (point) => `${x(point.count).toFixed(1)},${scale(value(point)).toFixed(1)}`,
      );
      return `<polyline points="${places.join(' ')}" ${attributes}/>`;
    };
    return [
      ...speedMarks.map((mark) => segment(start, end, speed(mark), 'class="grid"')),
      ...[0, mostMemory].map((mark) => segment(start, end, memory(mark), 'class="grid"')),
      ...series.flatMap((one, database) => [
        ...(one.points[0]?.figures ?? []).map((_, scenario) =>
          line(
            speed,
            one.points,
            stroke(database, scenario),
            ({ figures }) => figures[scenario]?.perSecond ?? Number.NaN,
          ),
        ),
        line(memory, one.points, stroke(database, 0), ({ megabytes }) => megabytes),
      ]),
      ...counts.map((count) =>
        text(x(count), memoryTop + memoryHeight + 18, count.toLocaleString('en'), 'small middle'),
      ),
      text((start + end) / 2, memoryTop + memoryHeight + 36, varied, 'middle'),
    ];
  };

  const legend = all
    .slice(0, comparisons[0]?.series.length)
    .flatMap(({ database, points: [first] }, row) =>
      (first?.figures ?? []).flatMap(({ scenario }, column) => {
        const x = width - 570 + column * 190;
        const y = 24 + row * 18;
        return [
          segment(x, x + 32, y, `stroke-width="2" ${stroke(row, column)}`),
          text(x + 40, y + 4, `${database}: ${scenario}`),
        ];
      }),
    );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>Requests a second and memory by size</title>',
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    text(24, 34, 'The shape of cost', 'title'),
    ...legend,
    text(24, top - 16, 'requests a second', 'small'),
    ...speedMarks.map((mark) =>
      text(left - 8, speed(mark) + 4, mark.toLocaleString('en'), 'small end'),
    ),
    text(24, memoryTop - 12, 'memory, MB', 'small'),
    ...[0, mostMemory].map((mark) => text(left - 8, memory(mark) + 4, String(mark), 'small end')),
    ...comparisons.flatMap(panel),
    '</svg>\n',
  ].join('\n');
};
