/** Overlays as the commands take them: `overlay`, the option of the others, and the files beside documents. */

import { join } from 'node:path';
import { testSessions } from '../../support/sessions';
import { useWorkingFolder } from '../../support/temporary-folder';
import { runLine } from './run-command';

useWorkingFolder();

testSessions(join(__dirname, 'overlay.session.txt'), runLine);
