// What HL7's SMART Scheduling Links 1.0.0 requires of the resources that claim its profiles in meta.profile: its rules
// that a machine can refuse a file by, in our own words. What it only recommends (MS, preferred bindings) is left out.
// From https://hl7.org/fhir/uv/smart-scheduling-links (HL7/smart-scheduling-links, input/fsh; HL7 gives guides away as CC0).

RuleSet: SSL(id)
* ^url = "http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/{id}"

// StructureDefinition-smart-scheduling-location: an address may be short, because a visit may be virtual.
Profile: SmartSchedulingLocation
Parent: Location
Id: smart-scheduling-location
* insert SSL(smart-scheduling-location)
* id 1..1
* name 1..1
* telecom 1..*
* telecom.system 1..1
* telecom.value 1..1

// StructureDefinition-smart-scheduling-practitioner: exactly one identifier.
Profile: SmartSchedulingPractitioner
Parent: Practitioner
Id: smart-scheduling-practitioner
* insert SSL(smart-scheduling-practitioner)
* id 1..1
* identifier 1..1

// StructureDefinition-smart-scheduling-practitionerRole
Profile: SmartSchedulingPractitionerRole
Parent: PractitionerRole
Id: smart-scheduling-practitionerRole
* insert SSL(smart-scheduling-practitionerRole)
* id 1..1
* practitioner only Reference(SmartSchedulingPractitioner)
* location only Reference(SmartSchedulingLocation)

// StructureDefinition-smart-scheduling-schedule
Profile: SmartSchedulingSchedule
Parent: Schedule
Id: smart-scheduling-schedule
* insert SSL(smart-scheduling-schedule)
* actor.reference 1..1
* serviceType 1..*

// StructureDefinition-smart-scheduling-slot: the only profile that requires an extension.
Profile: SmartSchedulingSlot
Parent: Slot
Id: smart-scheduling-slot
* insert SSL(smart-scheduling-slot)
* schedule only Reference(SmartSchedulingSchedule)
* extension contains
    BookingDeepLink named bookingDeepLink 0..1 and
    PatientType named patientType 1..1

// StructureDefinition-booking-deep-link
Extension: BookingDeepLink
Id: booking-deep-link
* insert SSL(booking-deep-link)
* value[x] only url
* value[x] 1..1

// StructureDefinition-patient-type
Extension: PatientType
Id: patient-type
* insert SSL(patient-type)
* value[x] only Coding
* value[x] 1..1
* valueCoding.system 1..1
* valueCoding.system = "http://terminology.hl7.org/CodeSystem/accepting-patients"
* valueCoding.code 1..1
