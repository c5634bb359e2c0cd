// Brands of insurance that people name, so that "not taken" can be an answer. The word before `=` is how it is written.

const BRANDS = `Aetna=aetna
Ambetter=ambetter
Amerigroup=amerigroup
AmeriHealth=amerihealth
Anthem=anthem, anthem blue cross
AvMed=avmed
Blue Cross Blue Shield=blue cross blue shield, blue cross and blue shield, blue cross & blue shield, bcbs, bluecross blueshield
Blue Cross=blue cross, bluecross
Blue Shield=blue shield, blueshield
Bright Health=bright health
CareFirst=carefirst, care first
CareSource=caresource
Centene=centene
CHIP=chip
Cigna=cigna, evernorth
ConnectiCare=connecticare
EmblemHealth=emblemhealth, emblem health
Fidelis Care=fidelis, fidelis care
Florida Blue=florida blue
Geisinger=geisinger
Harvard Pilgrim=harvard pilgrim
Health Net=health net, healthnet
HealthPartners=healthpartners
Healthfirst=healthfirst
Highmark=highmark
Horizon=horizon blue cross, horizon bcbs
Humana=humana
Independence Blue Cross=independence blue cross, ibx
Kaiser Permanente=kaiser permanente, kaiser
L.A. Care=la care, l a care
Magellan=magellan
Medica=medica health plans
Medical Mutual=medical mutual
Medi-Cal=medi cal, medical california
Medicaid=medicaid, medicade
Medicare=medicare, medicare advantage, medicare part b
Meritain=meritain
MetroPlus=metroplus
Molina=molina, molina healthcare
Moda Health=moda, moda health
MVP=mvp health care, mvp
Obamacare=obamacare, marketplace insurance
Oscar=oscar health, oscar insurance
Oxford=oxford health, oxford insurance
Premera=premera, premera blue cross
Priority Health=priority health
Providence Health Plan=providence health plan
Regence=regence
SelectHealth=selecthealth
Sharp=sharp health plan
Superior HealthPlan=superior health plan, superior healthplan
Tricare=tricare, tri care
Tufts Health Plan=tufts, tufts health plan
UMR=umr
UnitedHealthcare=united healthcare, unitedhealthcare, united health care, uhc, unitedhealth, united health, united, optum
UPMC=upmc
VA=va benefits, champva
WellCare=wellcare
Wellpoint=wellpoint`;

export const brands = BRANDS.split("\n").map((row) => {
  const [name, words] = row.split("=");
  return [name, words.split(", ")];
});
