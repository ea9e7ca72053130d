/** The headers of a mock: those that the document requires, and those that it gives an example of. */

import type { Parameter } from '../document/model/operation';
import { compileHeader, isBuiltInHeader } from '../responses/response-headers';
import { exemplaryValues } from './samples/given-values';
import type { SamplingTools } from './samples/sample-context';
import { planOf } from './samples/sample-plan';
import { sampleValue } from './samples/sample-value';

/** Values by name, or a sentence saying why one has none. */
export type MockHeaders =
  | { readonly headers: Readonly<Record<string, unknown>> }
  | { readonly reason: string };

const hasExample = ({ examples = [], schema }: Parameter, tools: SamplingTools): boolean =>
  examples.length > 0 || exemplaryValues(planOf([schema], tools.source)).length > 0;

/** A value that can be written and reads back as what the schema says; undefined where none was found. */
const headerValue = (header: Parameter, tools: SamplingTools): unknown => {
  const { examples = [], schema } = header;
  const sample = sampleValue(
    schema,
    tools,
    examples.map(({ value }) => value),
  );
  if ('reason' in sample) return undefined;
  try {
    compileHeader(header, { ...tools, validateResponses: true })(sample.value);
    return sample.value;
  } catch {
    return undefined;
  }
};

/** Makes the headers of one response. */
export const mockHeaders = (declared: readonly Parameter[], tools: SamplingTools): MockHeaders => {
  const wanted = declared.filter(
    (header) => !isBuiltInHeader(header.name) && (header.required || hasExample(header, tools)),
  );
  const headers = wanted.map((header) => ({ header, value: headerValue(header, tools) }));
  const missing = headers.find(({ header, value }) => header.required && value === undefined);
  if (missing !== undefined) {
    return { reason: `no value was found for the header ${missing.header.name}` };
  }
  return { headers: Object.fromEntries(headers.map(({ header, value }) => [header.name, value])) };
};
