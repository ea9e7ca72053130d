/** Each tag is declared once (OAS 3.0.3, OpenAPI Object). */

import { errorOf, type Rule } from '../rule';

const finding = errorOf('tag');

export const uniqueTags: Rule = ({ definition }) => {
  const seen = new Set<string>();
  return (definition.tags ?? []).flatMap(({ name }, index) => {
    if (name === undefined || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `The tag ${name} is declared more than once. Remove one of the two.`;
    return [finding(`/tags/${index}`, message)];
  });
};
