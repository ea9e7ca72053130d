/** Draws a report as bars (SVG): how many times as fast as the hand-written server each contestant is. */

import { geometricMean } from './figures';
import { mainConnections, type Report } from './report';
import { ratiosToYardstick, yardstick } from './tables';

const width = 960;
const left = 400;
const right = 70;
const top = 72;
const rowHeight = 28;

const colours = { ours: '#0969da', peer: '#8c959f' } as const;

const style = `text{font:13px -apple-system,BlinkMacSystemFont,"Segoe UI",Helvetica,Arial,sans-serif;fill:#24292f}
.title{font-size:17px;font-weight:600}.small{font-size:11px;fill:#57606a}.end{text-anchor:end}`;

const text = (x: number, y: number, words: string, style = ''): string => {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x}" y="${y}" class="${style}">${escaped}</text>`;
};

/** The plot as an SVG document: one bar a contestant, the fastest first, on a linear scale. */
export const plotSvg = (report: Report): string => {
  const connections = mainConnections(report.connections);
  const rows = report.entrants
    .map((entrant) => ({
      ...entrant,
      mean: geometricMean(ratiosToYardstick(report, entrant.id, connections)),
    }))
    .filter(({ mean }) => Number.isFinite(mean))
    .sort((one, other) => other.mean - one.mean);
  const scale = (width - left - right) / Math.max(1, ...rows.map(({ mean }) => mean));
  const height = top + rowHeight * rows.length + 16;
  const note = `${connections} connections, one core for the server; ${report.pets.toLocaleString('en')} pets stored; Node.js ${report.machine.node}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Requests a second relative to the ${yardstick} server</title>`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    text(24, 30, 'Requests a second, relative to a hand-written server (geometric mean)', 'title'),
    text(24, 50, note, 'small'),
    ...rows.map(({ title, kind, mean }, index) => {
      const y = top + rowHeight * index;
      const length = mean * scale;
      return [
        text(left - 12, y + 15, title, 'end'),
        `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="20" rx="2" fill="${colours[kind]}"/>`,
        text(Math.round(left + length + 6), y + 15, `${mean.toPrecision(2)}×`),
      ].join('\n');
    }),
    '</svg>\n',
  ].join('\n');
};
