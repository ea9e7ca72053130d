/** The script of a report: it filters, copies and opens for printing. Without it everything is there to be read. */

/** It reads nothing but the page's own elements; texts of servers and documents never stand in it. */
export const reportScript = `'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const textOf = (row) =>
  [...row.querySelectorAll('.operation, .rule')]
    .map((one) => one.textContent)
    .join(' ')
    .toLowerCase();
const filter = document.querySelector('.filter');
if (filter) {
  const search = filter.querySelector('[type=search]');
  const rows = all('[data-state]').map((row) => ({
    row,
    states: row.dataset.state.split(' '),
    text: textOf(row),
  }));
  const apply = () => {
    const wanted = search.value.trim().toLowerCase();
    const state = filter.querySelector('[type=radio]:checked').value;
    const isWhole = wanted === '' && state === '';
    for (const { row, states, text } of rows) {
      row.hidden = !text.includes(wanted) || !(state === '' || states.includes(state));
    }
    for (const group of all('.group')) {
      group.hidden = group.querySelector('[data-state]:not([hidden])') === null;
      if (!isWhole && !group.hidden && 'open' in group) group.open = true;
    }
    const shown = rows.filter(({ row }) => row.matches('.row') && !row.hidden).length;
    filter.querySelector('output').textContent = isWhole ? '' : shown + ' shown';
  };
  filter.hidden = false;
  filter.addEventListener('input', apply);
  apply();
}
for (const button of all('.copy')) {
  const command = button.closest('.command').querySelector('pre');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = 'Selected: copy it by the keyboard';
    }
  });
}
for (const link of all('a.rule')) {
  const failure = document.querySelector(link.hash).closest('.failure');
  link.addEventListener('click', () => {
    for (const group of all('.group')) if (group.contains(failure)) group.hidden = false;
    failure.hidden = false;
    failure.open = true;
  });
}
addEventListener('beforeprint', () => {
  for (const one of all('details.failure, details.group')) one.open = true;
});
`;
