// Each resource against npm `fhir`: R4's structure and required codes.
import fhir from 'fhir';
import { run } from './docket.mjs';

// Codes that it cannot look up, in places where FHIR allows others or only gives examples: the clinic's own visit types,
// Plan-Net's codes, the taxonomy of NUCC, languages beyond the common ones, and `vi`, which later editions of FHIR have.
const UNKNOWN_SYSTEMS = [
  /\/v1\/appointment-types$/,
  /^http:\/\/hl7\.org\/fhir\/us\/davinci-pdex-plan-net\/CodeSystem\/(HealthcareServiceCategory|OrgType|ProviderRole)CS$/,
  /^urn:ietf:bcp:47$/,
  /^http:\/\/nucc\.org\/provider-taxonomy$/,
  /^http:\/\/terminology\.hl7\.org\/CodeSystem\/location-physical-type$/,
];

function accepted({ severity, message }) {
  const system = /^Code "[^"]*" \((.*)\) not found in value set$/.exec(message)?.[1];
  if (severity === 'warning' && system) return UNKNOWN_SYSTEMS.some((known) => known.test(system));
  // It has no list of media types and languages to look into.
  return severity === 'info' && /^Value set "[^"]*" could not be found\.$/.test(message);
}

const validator = new fhir.Fhir();
run((resource) => {
  const { messages } = validator.validate(resource, { errorOnUnexpected: true });
  return messages.filter((one) => !accepted(one)).map((one) => `${one.severity} at ${one.location}: ${one.message}`);
});
