// The JavaScript SDK's second line as a client: `sdk_v2.mjs CASES auto|legacy`.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ask } from './asked.mjs';

const [, , path, mode] = process.argv;
const cases = JSON.parse(readFileSync(path, 'utf8'));
const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(cases.url)));
const figure = await ask(cases, client);
const revision = client.getNegotiatedProtocolVersion?.() ?? mode;
await client.close();
console.log(`${figure}; revision ${revision}`);
