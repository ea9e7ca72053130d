import { describeCopying, describeKind } from './copy-cases';

describeCopying('sqlite', 'postgres');
describeCopying('postgres', 'sqlite');
describeKind('postgres');
