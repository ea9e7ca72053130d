/** The formats of the report. */

import { testPage } from '../../report/test-page';
import type { TestReport } from '../test-report';
import { junitReport } from './junit-report';
import { textReport } from './text-report';

/** Writers by the format's name. */
export const reportWriters = {
  text: textReport,
  json: (report: TestReport): string => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitReport,
  html: testPage,
} as const;
