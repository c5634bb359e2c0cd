// The heading of an answer: what is asked about, who or what isn't here, and what has no openings, in both languages.

import assert from "node:assert/strict";

/** A sentence, its heading, and what the sentences below have to say; "" for nothing. */
const ENGLISH = [
  ["how much is a visit", "What a visit costs", /copay.*510/],
  ["cancel my appointment", "Book, change, or cancel a visit", /510/],
  ["what languages do you speak", "Languages we speak", /Spanish/],
  ["do you take my insurance", "Plans we take", /Which plan do you have\?/],
  ["my baby has a fever", "Ask us before booking for a child", /911.*510/],
  ["I need a cardiologist in Ohio", "We don’t have cardiologists", /510/],
  ["dermatologist in California", "We don’t have dermatologists", /510/],
  ["Dr. Samantha Pemberton", "We don’t have a clinician named Samantha Pemberton", /510/],
  ["someone for ADHD in Ohio", "We couldn’t find anyone for “ADHD”", /510/],
  ["I need knee replacement surgery", "We don’t do surgery", /online.*510/],
  ["I need my gallbladder removed", "We don’t do surgery", /510/],
  ["my knee swelled after surgery", "We couldn’t find anyone for “knee swelled surgery”", /911.*510/],
  ["my surgery scar is oozing", "We couldn’t find anyone for “surgery scar oozing”", /911.*510/],
  ["itching of my scalp in Texas", "We couldn’t find anyone for “itching of my scalp”", /911.*510/],
  ["Klingon speaker in Texas", "None of our clinicians speaks Klingon", /interpreter.*510/],
  ["a doctor who speaks slowly in Texas", "Languages we speak", /Spanish/],
  ["Medicare in Idaho", "We don’t see patients in Idaho yet", /Medicare/],
];
const SPANISH = [
  ["¿Cuánto es el copago?", "Cuánto cuesta una consulta", /copago.*510/],
  ["Quiero resurtir mi receta", "Recetas y resurtidos", /510/],
  ["mi hijo de 5 años tiene fiebre", "Pregúntenos antes de reservar para un menor", /911.*510/],
  ["dermatóloga en California", "No tenemos dermatólogas", /510/],
  ["alguien que hable klingon en Ohio", "Ninguno de nuestros profesionales habla klingon", /intérprete.*510/],
  ["Necesito que me operen de la matriz", "No hacemos cirugías", /510/],
  ["Quiero operarme de la matriz en California", "No hacemos cirugías", /510/],
  ["¿Hay un dermatólogo en Florida que me revise un lunar?", "No tenemos dermatólogos", /510/],
  ["Dra. Patel", "No tenemos a nadie llamado Patel", /510/],
  ["una doctora que haga histerectomías en Texas", "No hacemos cirugías", /510/],
];
/** Specialists who are here, by a certification or an interest, are not denied. */
const HERE = ["gynecologist in Texas", "necesito una ginecóloga en Texas", "an obstetrician in California", "Dr. Okonkwo"];
/** "Low" alone is a mood. */
const CRISIS = ["I feel so low", "me siento muy baja de ánimo"];
/** What the page says already isn't called not understood, and who or what can wait isn't an emergency. */
const SAID = [/^We didn’t understand “(?:knee|Patel|ADHD|cardio)/, /^No entendimos “(?:Cuánto|haga|dermat)/];
const CALM = new Set(["Dr. Samantha Pemberton", "I need knee replacement surgery", "I need my gallbladder removed", "dermatologist in California", "Necesito que me operen de la matriz", "¿Hay un dermatólogo en Florida que me revise un lunar?", "Dra. Patel"]);

export const headings = async (open, site) => {
  const { page } = await open("/");
  const said = async (base, text) => {
    await page.goto(`${site}${base}/clinicians?${new URLSearchParams({ q: text })}`, { waitUntil: "networkidle0" });
    await page.waitForFunction(() => document.querySelector("#list > *"));
    return page.evaluate(() => ({ heading: document.querySelector("h1").innerText.replace(/\s+/g, " "), notes: [...document.querySelectorAll("#notice > *")].map(({ textContent }) => textContent) }));
  };
  for (const [base, cases] of [["", ENGLISH], ["/es", SPANISH]]) {
    for (const [text, wanted, tells] of cases) {
      const { heading, notes } = await said(base, text);
      assert.equal(heading, wanted, text);
      assert.match(notes.join(" "), tells, text);
      for (const again of SAID) assert.ok(!notes.some((note) => again.test(note)), `${text}: ${notes}`);
      if (CALM.has(text)) assert.doesNotMatch(notes.join(), /911/, text);
    }
  }
  for (const text of CRISIS) assert.match((await said("", text)).notes.join(), /988/, text);
  for (const text of HERE) assert.match((await said("", text)).heading, /^\d+ clinicians? /, text);
  // Everyone fits but has no openings then: when, where, and with whom.
  for (const [query, wanted] of [["state=OH&day=sun&part=morning&language=Spanish&gender=female", "with a woman who speaks Spanish"], ["state=OH&day=sun&part=morning&plan=Juniper+Advantage", "with Juniper Advantage"]]) {
    await page.goto(`${site}/clinicians?${query}`, { waitUntil: "networkidle0" });
    await page.waitForFunction(() => document.querySelector("#list > *"));
    assert.match(await page.$eval("h1", ({ innerText }) => innerText.replace(/\s+/g, " ")), new RegExp(`^No openings on .* in Ohio ${wanted}$`));
  }
  await page.close();
  return ["-", `${ENGLISH.length + SPANISH.length + HERE.length} sentences under their own headings`];
};
