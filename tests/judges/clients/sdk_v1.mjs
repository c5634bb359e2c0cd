// The JavaScript SDK's first line as a client: `sdk_v1.mjs CASES`.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ask } from './asked.mjs';

const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = new Client({ name: 'judge', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(cases.url)));
const figure = await ask(cases, client);
await client.close();
console.log(figure);
