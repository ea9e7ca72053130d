/** `overlay FILE OVERLAY…` writes a document with overlays applied. */

import { resolve } from 'node:path';
import { Command } from 'commander';
import { printable } from '../base/text/printable';
import { describeDiagnostic } from '../document/diagnostics/diagnostic';
import { overlaidText } from '../document/overlay/overlaid-text';
import { readSource } from '../document/source/read-source';
import { readLocalFile, uriOf } from '../document/source/source-files';
import { decodeText, loadLimits } from '../document/source/source-text';
import { exitCodes, fileReport, type MakeCommand } from './command/command';
import { writeTogether } from './command/write-together';

const readFile = async (name: string) => {
  const text = decodeText(name, await readLocalFile(resolve(name), name, loadLimits.fileBytes));
  return { name, text, uri: uriOf(name), ...readSource(name, text) };
};

/** Makes the command. */
export const overlayCommand: MakeCommand = ({ out, err }, finish) =>
  new Command()
    .argument('<file>', 'the document, YAML or JSON')
    .argument('<overlay...>', 'overlays, which are applied in this order')
    .option('--out <file>', 'write into this file; to standard output, where none is given')
    .action(async (file: string, overlays: string[], { out: target }: { out?: string }) => {
      const root = await readFile(file);
      const applied = await Promise.all(overlays.map(readFile));
      const { text, warnings } = overlaidText(root, root.text, applied);
      for (const warning of warnings) err(`${printable(describeDiagnostic(warning))}\n`);
      if (target === undefined) out(text);
      else {
        writeTogether(new Map([[resolve(target), text]]));
        out(fileReport('text', [{ file: target, state: 'written' }]));
      }
      finish(exitCodes.clean);
    });
