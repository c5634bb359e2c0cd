// What HL7's Da Vinci PDex Plan-Net 2.0.0-ballot requires, with what its profiles inherit from US Core 5.0.1. The export claims
// none of them, but takes Plan-Net's codes and extensions, and these four profiles hold for it. PractitionerRole's does
// not: it allows one network-reference, and a clinician takes several plans.
// From https://hl7.org/fhir/us/davinci-pdex-plan-net (HL7/davinci-pdex-plan-net, input/fsh) and
// https://hl7.org/fhir/us/core (HL7/US-Core); HL7 gives guides away as CC0.

RuleSet: PlanNet(id)
* ^url = "http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/{id}"

// StructureDefinition-plannet-Practitioner; identifier, name and family name are US Core's.
Profile: PlannetPractitioner
Parent: Practitioner
Id: plannet-Practitioner
* insert PlanNet(plannet-Practitioner)
* identifier 1..*
* identifier.system 1..1
* identifier.value 1..1
* active 1..1
* active = true
* name 1..*
* name.family 1..1
* qualification.extension contains PractitionerQualification named practitioner-qualification 0..1
* qualification.code 1..1

// StructureDefinition-plannet-Location; the name is US Core's.
Profile: PlannetLocation
Parent: Location
Id: plannet-Location
* insert PlanNet(plannet-Location)
* status 1..1
* status = #active (exactly)
* name 1..1
* mode 0..0
* managingOrganization only Reference(PlannetOrganization)

// StructureDefinition-plannet-Organization; the name is US Core's.
Profile: PlannetOrganization
Parent: Organization
Id: plannet-Organization
* insert PlanNet(plannet-Organization)
* active 1..1
* active = true
* type 1..*
* name 1..1
* address 1..*

// StructureDefinition-plannet-HealthcareService
Profile: PlannetHealthcareService
Parent: HealthcareService
Id: plannet-HealthcareService
* insert PlanNet(plannet-HealthcareService)
* extension contains
    NewPatients named newpatients 0..* and
    DeliveryMethod named deliverymethod 0..*
* active 1..1
* active = true
* providedBy only Reference(PlannetOrganization)
* category 1..*
* location only Reference(PlannetLocation)
* coverageArea only Reference(PlannetLocation)

// StructureDefinition-practitioner-qualification
Extension: PractitionerQualification
Id: practitioner-qualification
* insert PlanNet(practitioner-qualification)
* value[x] 0..0
* extension contains status 1..1 and whereValid 0..*
* extension[status].value[x] only code
* extension[status].value[x] 1..1
* extension[status].valueCode = #active (exactly)
* extension[whereValid].value[x] only CodeableConcept or Reference(PlannetLocation)
* extension[whereValid].value[x] 1..1

// StructureDefinition-newpatients
Extension: NewPatients
Id: newpatients
* insert PlanNet(newpatients)
* value[x] 0..0
* extension contains acceptingPatients 1..1 and fromNetwork 0..1 and characteristics 0..*
* extension[acceptingPatients].value[x] only CodeableConcept
* extension[acceptingPatients].value[x] 1..1
* extension[fromNetwork].value[x] only Reference(Organization)
* extension[fromNetwork].value[x] 1..1
* extension[characteristics].value[x] only string
* extension[characteristics].value[x] 1..1

// StructureDefinition-delivery-method
Extension: DeliveryMethod
Id: delivery-method
* insert PlanNet(delivery-method)
* value[x] 0..0
* extension contains type 1..1 and virtualModalities 0..*
* extension[type].value[x] only CodeableConcept
* extension[type].value[x] 1..1
* extension[virtualModalities].value[x] only CodeableConcept
* extension[virtualModalities].value[x] 1..1

// StructureDefinition-network-reference
Extension: NetworkReference
Id: network-reference
* insert PlanNet(network-reference)
* value[x] only Reference(Organization)
* value[x] 1..1
