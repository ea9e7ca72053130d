/** What the comparison of two documents found, as a page. */

import { groupBy } from '../../engine';
import { type Html, html, type Part } from '../../server/html/html';
import { type ChangeGroup, changeGroups, type ShownChange, severities } from './changes';
import { counted, digits } from './counts';
import { bar, endpointOf, filterBar, reportPage } from './report-page';

/** What the page shows. */
export interface Comparison {
  /** What is compared: the title of the new document. */
  readonly title: string;
  /** How the old and the new document are called: their files, or a commit of git. */
  readonly was: string;
  readonly now: string;
  readonly changes: readonly ShownChange[];
}

const boxed = (heading: string, text: string | null): Html =>
  html`<div><h4>${heading}</h4><p>${text === null ? html`<span class="limits">nothing</span>` : html`<code>${text}</code>`}</p></div>`;

const valuesPart = ({ was, now }: ShownChange): Part =>
  (was !== null || now !== null) &&
  html`<div class="pair expected">${boxed('Was', was)}${boxed('Is now', now)}</div>`;

const allowedPart = ({ allowed }: ShownChange): Part =>
  allowed &&
  html`<p class="allowance"><strong>Allowed:</strong> ${allowed.reason}${allowed.expires !== undefined && html` <span class="limits">until ${allowed.expires}</span>`}</p>`;

const sideSigns = { request: '→', response: '←', document: '' } as const;

const badge = (severity: ShownChange['severity'], text: string): Html => {
  const { sign, tone } = severities[severity];
  return html`<span class="badge ${tone}"><span aria-hidden="true">${sign}</span> ${text}</span> `;
};

const changeElement = (change: ShownChange): Html => {
  const { severity, side, rule, message, file, line, column, pointer } = change;
  const { tone, word } = severities[severity];
  return html`<li class="change ${tone}" data-state="${severity}"><p class="weight">${badge(severity, word)}<span class="badge side"><span aria-hidden="true">${sideSigns[side]}</span> ${side}</span> <span class="rule">${rule}</span></p>
<p class="message">${message}</p>${allowedPart(change)}${valuesPart(change)}
<p class="limits"><span class="location">${file}:${line}:${column}</span> <span class="pointer">${pointer}</span></p></li>
`;
};

const groupHeading = ({ operation, method, path }: ChangeGroup): Part =>
  method === null || path === null
    ? html`<span class="path">The whole document</span>`
    : [
        endpointOf(method, path),
        operation !== null && html` <span class="name">${operation}</span>`,
      ];

const groupCounts = ({ changes }: ChangeGroup): Part =>
  (['breaking', 'warning', 'compatible'] as const).map((severity) => {
    const count = changes.filter((change) => change.severity === severity).length;
    return count > 0 && badge(severity, `${digits(count)} ${severities[severity].word}`);
  });

/** Changes up to which those that break are open. */
const openChanges = 100;

const groupElement = (group: ChangeGroup, isOpen: boolean): Html =>
  html`<details class="group changes"${isOpen && group.isBreaking && html` open`}><summary><h3 class="operation">${groupHeading(group)}</h3><span class="counts">${groupCounts(group)}</span></summary>
<ul>${group.changes.map(changeElement)}</ul></details>
`;

const section = (id: string, heading: string, note: Part, changes: readonly ShownChange[]): Part =>
  changes.length > 0 &&
  html`<section id="${id}" class="group"><h2>${heading}</h2>${note}
${changeGroups(changes).map((group) => groupElement(group, changes.length <= openChanges))}</section>
`;

const verdict = (breaking: readonly ShownChange[], warnings: number): Html => {
  if (breaking.length > 0) {
    const places = groupBy(breaking, ({ file, pointer }) => `${file}#${pointer}`).size;
    const operations = changeGroups(breaking).filter(({ path }) => path !== null).length;
    return html`<p class="verdict bad"><span class="sign">✕</span> ${counted(breaking.length, 'breaking change')} <small>of ${counted(places, 'place')}, in ${counted(operations, 'operation')}</small></p>`;
  }
  return warnings > 0
    ? html`<p class="verdict warn"><span class="sign">!</span> ${counted(warnings, 'warning')}, nothing that surely breaks</p>`
    : html`<p class="verdict good"><span class="sign">✓</span> Nothing breaks</p>`;
};

const summary = ({ was, now, changes }: Comparison, open: readonly ShownChange[]): Html => {
  const bySeverity = groupBy(open, ({ severity }) => severity);
  const breaking = bySeverity.get('breaking') ?? [];
  const warnings = bySeverity.get('warning')?.length ?? 0;
  const compatible = bySeverity.get('compatible')?.length ?? 0;
  const allowed = changes.length - open.length;
  const tile = (name: string, count: number): Html =>
    html`<div><dt>${name}</dt><dd><strong>${digits(count)}</strong></dd></div>`;
  return html`<p class="documents">from <code>${was}</code> to <code>${now}</code></p>
<div class="weights">${verdict(breaking, warnings)}
<dl class="tiles">${tile('Breaking', breaking.length)}${tile('Warnings', warnings)}${tile('Compatible', compatible)}${tile('Allowed', allowed)}</dl>
${
  open.length > 0 &&
  bar([
    ['failed', breaking.length],
    ['missed', warnings],
    ['reached', compatible],
  ])
}</div>
`;
};

/** The page of a comparison: one text of HTML that needs nothing beside it. */
export const diffPage = (comparison: Comparison): string => {
  const { changes, title } = comparison;
  const open = changes.filter(({ allowed }) => allowed === undefined);
  const allowed = changes.filter((change) => change.allowed !== undefined);
  return reportPage({
    kind: 'Contract diff',
    title,
    links: [
      ...(open.length > 0 ? [{ id: 'changes', text: 'Changes' }] : []),
      ...(allowed.length > 0 ? [{ id: 'allowed', text: 'Allowed' }] : []),
    ],
    main: html`${summary(comparison, open)}${
      changes.length > 0 &&
      filterBar([
        ['', 'All'],
        ['breaking', 'Breaking'],
        ['warning', 'Warnings'],
        ['compatible', 'Compatible'],
      ])
    }${section('changes', 'Changes', undefined, open)}${section('allowed', 'Allowed changes', html`<p class="limits">These are accepted, each for its reason; they do not count above.</p>`, allowed)}`,
  });
};
