/** Candidates for strings: by format, by pattern, or plain; bytes where the format is binary. */

import { formatTexts, type MakeText, plainText } from './format-texts';
import { patternTexts } from './pattern-texts';
import { type CountLimits, countLimits } from './sample-limits';
import { keywordOf, type SamplePlan } from './sample-plan';

/** Longer texts are not made, whatever a schema requires. */
const LONGEST = 100_000;
const MOST = 1_000;

/** Letters, since bytes within JSON or XML must be text. */
const bytes = (index: number, { least, most }: CountLimits): Uint8Array =>
  Uint8Array.from(
    { length: Math.max(least, Math.min(most, 4)) },
    (_, at) => 97 + ((index + at) % 26),
  );

/** Where every source has had its turn, the next index begins. */
export function* sampleTexts(plan: SamplePlan): Iterable<string | Uint8Array> {
  const limits = countLimits(plan, 'Length');
  if (limits.least > LONGEST || limits.least > limits.most) return;
  const [format] = keywordOf(plan, 'format');
  const patterns = keywordOf(plan, 'pattern').map((pattern) => patternTexts(String(pattern)));
  const makers = [formatTexts.get(format), ...patterns].filter((maker) => maker !== undefined);
  const sources: readonly MakeText[] = makers.length > 0 ? makers : [plainText];
  for (let index = 0; index < MOST; index += 1) {
    if (format === 'binary') yield bytes(index, limits);
    else for (const make of sources) yield make(index, limits);
  }
}
