// What both JavaScript clients do with the cases.
import assert from 'node:assert/strict';

export async function ask(cases, client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), cases.calls.map((call) => call.tool).sort());
  for (const { tool, arguments: given, body } of cases.calls) {
    const result = await client.callTool({ name: tool, arguments: given });
    assert.ok(!result.isError, `${tool} is an error`);
    assert.equal(result.content[0].text, body, `${tool} differs from REST`);
    assert.deepEqual(result.structuredContent, JSON.parse(body), `${tool}: structured content differs`);
  }
  for (const { kind, tool, arguments: given, says } of cases.mistakes) {
    const result = await client.callTool({ name: tool, arguments: given });
    assert.equal(result.isError, true, `${kind} is not an error`);
    assert.equal(result.structuredContent, undefined);
    for (const part of says) assert.ok(result.content[0].text.includes(part), `${kind}: ${result.content[0].text}`);
  }
  const unknown = client.callTool({ name: 'book_visit', arguments: {} });
  await assert.rejects(unknown, (error) => error.code === -32602);
  const { uri, type, text } = cases.view;
  const { contents } = await client.readResource({ uri });
  assert.deepEqual(contents.map((one) => [one.uri, one.mimeType, one.text]), [[uri, type, text]]);
  return `${tools.length} tools, ${cases.calls.length} calls equal REST, ${cases.mistakes.length + 1} mistakes, the view`;
}
