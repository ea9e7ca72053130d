/** The codecs of whole lists, each in a format of items. */

import { eventStream } from '../../../../src/engine/media-types/items/event-stream';
import { listCodec } from '../../../../src/engine/media-types/items/item-format';
import { jsonLines, jsonTextSequence } from '../../../../src/engine/media-types/items/json-items';

export const jsonLinesCodec = listCodec(jsonLines);
export const jsonTextSequenceCodec = listCodec(jsonTextSequence);
export const eventStreamCodec = listCodec(eventStream);
