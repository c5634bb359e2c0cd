// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake. */
const SUICIDE = `988, mental health crisis, crisis line/hotline, suicid*, kms, kill/killing/hurt/hurting/harm/harming/cut/cutting/shoot/hang ${SELF}, end/ending it all, end/ending everything, it all to stop/end, everything/it to end, i want/wish to disappear, \
wake up anymore/again, would miss me, point in/of living/life, wish i could die, cut/cutting my/her/his arms!/wrist, self harm, unalive, wants/wanted/wanting/wanna/going to die, want/wanna to be dead, ending things, wanna die, feel/feeling like dying, \
going to end it, gonna end it, cant/cannot do this anymore, wish i was/were dead, ready to die, dont/doesnt want/wanna to live/exist, dont wanna live, do/does not want to live, dont/doesnt want to be alive/here, do not want to be alive, no reason to live, \
end/ending/take/taking my/his/her/own life, take my own life, take his/her own life, tired of living, cant go on, life is not worth, life isnt worth, not worth living, kiero/quiere/queria/prefiero morir*, ganas de morir*, no tengo ganas de vivir, matarme, \
quitar/quitarse la vida, me/se quito la vida, pienso/pensar/pensando en morir*/matar*, en la muerte todo, acabar/terminar con todo, sentido a la vida, vida no tiene sentido, pena vivir, para que vivir, ya no quisiera/quiere/kiero estar/despertar/vivir, \
no quiero/quisiera/kiero estar aqui, quiero/quisiera/kiero desaparecer, me/te/se cortan/corte los/las brazos/venas/munecas/piernas, quisiera/quiero/queria estar muert*, no quiero despertar, quiere/kiero matar, voy/va a matar, ya no puedo mas, no aguanto mas, \
acabar con mi/su vida, terminar con mi vida, no quiere/kiero vivir, no quiero seguir viviendo, no quiero/kiero estar viv*, no quiero existir, cansad* de vivir, hacerme dano, lastimarme, cortarme, \
better/happier/easier off/if/without ~ me/gone/dead/died/disappeared, cant/cannot take this/it/life anymore/any, cant/cannot keep living, cant live like this, dont/doesnt want to go on, dont/doesnt deserve to live, nothing to live for, no will to live, \
if i died/disappeared, if i was/were gone/dead, if i wasnt/werent here/alive/around, wish i wasnt/werent/never/hadnt here/alive/born/been, wish i ~ never/not ~ born/existed/alive, go/fall to/asleep ~ never/not wake, and/to/would/could/ill never wake up, \
sleep forever, im/just/such/only/being/am a burden, tired of life alive, tired of being/everything alive/anymore, done with life/living, give/giving up on life/living, dont care if i live, rather be dead, rather die, life is pointless/meaningless, \
goodbye letter/note, jump/jumping off/from a/the bridge/building/roof, no one/nobody would notice/care if, would notice/care/miss if i/me, mejor sin mi!, soy/siento una carga, nadie me extranara/necesita, si no estuviera/existiera/despertara, \
si yo no estuviera/existiera, si me muriera/muera, no haber nacido, ojala no despert*, ojala me muera/muriera, dormir* ~ no despertar, dormir* para siempre, no merezco vivir, sin/perdi/ninguna/las ganas de vivir, razon/razones/motivos para vivir, \
aventarme/tirarme/lanzarme/arrojarme de/del/desde/al/a, ahorcarme, dispararme, carta de despedida, nada tiene sentido, ya no aguanto/soporto esto/vivir/nada, no aguanto/soporto la/mi/esta/vivir vida, ya no quiero seguir aqui/asi/adelante, no soporto mas, \
no puedo seguir viviendo, harto de vivir/todo, con esta vida`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandpa/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/esposa/marido/hijo/hija/bebe/nino/nina/hermano/hermana/abuelo/abuela/amigo/amiga/pareja/el!/ella!";
const EMERGENCY = `emergenc*, 911, urgencia medica, in crisis, en crisis, ambulance, ambulancia, overdos*, chestpain*, heartattack, chest is tight, chest tight*, tight chest, chest pressure, heart attack*, stroke, couldnt breath*, not breathing, isnt breathing, \
trouble/difficulty breathing, shortness of breath, short of breath, hard to breathe, stopped breathing, unconscious, passed/passing out, choking, hemorrhag*, bleeding a lot, bleed/bleeding to death, kill/hurt someone/somebody, bleeding out, severe bleeding, \
stop bleeding, coughing up blood, vomiting blood, throwing up blood, took/taken a lot of pills, took/taken all my/his/her/the pills, whole/entire/full bottle, move one side, one side of my/his/her face/body is/went/feels, half of my/his/her face, poison*, \
anaphyla*, seizure*, im dying, he/she/mom/dad is dying, sobredosis, tomo muchas pastillas, todas las/mis/sus pastillas, un derrame, tuerce/torcido la cara/boca, duerme/durmio/dormida/paralizo un/media lado/cara, demasiadas pastillas, desmay*, auxilio, \
presion/opresion en el pecho, ataque al corazon, ataque cardiaco, infarto, derrame cerebral, cuesta respirar, dificultad para respirar, falta de aire, falta el aire, inconsciente, me ahogo, ahogando, no respira, siento que me muero, hemorragia, envenena*, \
convulsion*, me estoy muriendo, se esta muriendo, escupo/vomito sangre, chest ~ elephant/crush*/squeez*/heavy!/heaviness/hurt*/pain*/numb/stabb*/explod*, elephant/crush*/squeezing/pressure/weight/tightness/pain*/stabb*/heavi* ~ chest!, \
left arm ~ numb*/hurt*/pain*/ting*/weak/heavy, numb*/pain*/ting*/ach* ~ left arm, pain* ~ down/into/to/through my/his/her arm/jaw, heart stopped/stopping, cardiac arrest, gasping, struggl*/unable/barely to breath*, barely breath*, cant/cannot ~ breath*, \
cant get air, get/getting enough air, asthma attack, turn*/going/went/gone blue!/purple, lips ~ blue!/purple, blue lips, face/mouth/smile ~ droop*/crooked/sagg*/numb, side ~ face/body ~ numb/weak/paraly*/droop*, \
cant/cannot/couldnt feel/move my/his/her/the legs/arms/face/side/left/right, suddenly/sudden ~ cant/blind/confused/numb*/weak*/see/vision/speak/talk, cant/cannot speak/talk/see suddenly/properly/straight/clearly, slurr*, words ~ garbled, \
worst headache/migraine ~ life/ever, thunderclap, lost ~ vision suddenly, bleed* ~ heavily/badly/profusely/nonstop/everywhere/faint*/pregnan*/uncontrol*, pregnan* ~ bleed*/hemorrh*/blood!, bleeding wont/doesnt/not stop, lost ~ of blood, losing ~ blood, \
having a miscarriage, baby ~ stopped/not/isnt move/kicking, water broke, fainted, collapsed, unresponsive, ${KIN} ~ not/isnt/wont/doesnt/stopped respond*/responsive/wake/waking/breath*/moving, cant/cannot/couldnt wake/waken him/her/my/them, blacked out, \
lost consciousness, no pulse, not conscious, swallowed/drank/ingested/ate ~ bleach/battery/batteries/detergent/antifreeze/cleaner/magnet*/chemical*/pills, ${KIN} ~ swallowed/ate/into ~ pills/meds/medicine/medications, \
took/take ~ too much/many ~ insulin/tylenol/medicine/medications/meds/drugs/sleeping, carbon monoxide, snakebite, snake bit*, bitten by a snake/rattlesnake, tongue/lips/throat ~ swell*/closing/closed, swell* ~ tongue/lips/throat, \
severe/bad/serious/having allergic reaction, having an allergic reaction, allergic reaction ~ breath*/swell*/throat, epipen, burned!/burnt!/scalded ~ badly/boiling/oil/chemical*/hands/face/arm/skin/leg/body, third degree burn*, severe/bad/chemical burns, \
electrocut*, foaming at, shaking uncontrollably, convulsing, having a fit, almost/nearly drowned, got/been/was/were shot!/stabbed, gunshot, dolor*/duele/aprieta/oprime/elefante/punzada*/apreton/aplast*/ardor ~ pecho!, \
pecho! ~ aprieta/oprime/elefante/aplast*/duele/dolor*/apretado/dormido, duerme/dorm*/adorm*/entum*/duele/dolor*/hormigu* ~ brazo izquierdo, brazo izquierdo ~ duerm*/dorm*/adorm*/entum*/duele/dolor*/hormigu*, paro cardiaco/respiratorio, \
apenas puede/logro respirar, no ~ entra ~ aire!, ataque ~ asma, falta la respiracion, batall*/trabaja para respirar, asfixi*, atragant*, no ~ puede respirar, pone/puso/poniendo/labios morad*/azul!/azules, cayo/caida/paraliz*/dorm*/adorm* ~ cara!/boca!, \
cara!/boca! ~ cayo/caido/paraliz*/torcid*/chueca/dormida, no ~ puede hablar bien/claro, no puede/siente mover/el/la/un/los/las ~ brazos/piernas/lado/cuerpo/cara!, repente ~ no puede/veo/ve!, repente ~ debil*/confund*/ciega, arrastra* las palabras, \
peor dolor de cabeza, embaraz* ~ sangr*/hemorr*, sangr* ~ embaraz*, sangrando/sangra ~ muchisimo/mucha/parar, desangr*, rompio la fuente, bebe ~ no ~ mueve/moverse/respira/respirando, perdiendo/perdio ~ sangre/conocimiento, \
${PARIENTE} ~ no ~ responde/reacciona/despierta, no se despierta, no despierta/reacciona, no puedo/podemos/logro despertar*, no tiene pulso, colapso, trago/tragado/tomo/bebi/comio/ingirio ~ cloro/pilas/veneno/detergente/lejia/bateria*, \
trago/tragado ~ pastillas/medicina*/medicamento*, tomo ~ demasiad*/frasco, monoxido de carbono, fuga de gas, mordi* ~ vibora/serpiente/culebra, lengua/labios/garganta ~ hinch*/cerr*, hinch* ~ lengua/labios/garganta, cerr* ~ garganta, \
reaccion alergica ~ grave/fuerte/severa/respir*, choque anafil*/alergico, quem* ~ grave/mucho/aceite/hirviendo/agua/manos/brazo/cara!/cuerpo, quemadura* ~ grave*/tercer/segundo/quimica*, electrocut*, espuma por, ataques epilept*, dispar* ~ me!/lo!/le!, \
balazo, apunal*`;
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiance/fiancee/dad/he!/she!/they!";
const OTROS = "esposo/esposa/marido/pareja/novio/novia/ex/papa/el!/ella!";
const ABUSE = `domestic/partner violence/abuse, abusive relationship/marriage/${OTHERS}, ${OTHERS} hits/beats!/beat!/abused/slaps/slapped/punched/choked/strangles/kicks/kicked/pushes/shoves/threatens/threatened/raped/forces/hurts! me, \
is/keeps/been/was abusing/hitting/beating/threatening/choking/hurting me, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, not safe at home, dont feel safe at/with/around, unsafe at home, afraid/scared to go home, battered, i was/got raped, \
${OTHERS} puts/laid his/her hands on me, sexually assaulted, is/was abusive, afraid/scared of my ${OTHERS}, violencia domestica/intrafamiliar, ${OTROS} me pega!/pego!/golpeo/maltrato, me pega!/pego!/golpeo/maltrata mi ${OTROS}, \
${OTROS} me empujo/ahorco/pateo/cacheteo/amenazo/encierra, me violo/violaron, no ~ siento/estoy seguro ~ casa!, miedo ~ volver/regresar ~ casa!, golpes de mi ${OTROS}, abuso de mi, miedo a/de mi ${OTROS}`;
/** What has such words and isn't a danger. */
const CALM = `not an emergency, isnt an emergency, non emergency, no es una emergencia, killing me, dying to, muero por, muero de, desaparecer las/los/el/la, cut myself some slack, respond*/responde/responding to/a/al, hablar bien ingles/el/en, \
despiert*/despertar temprano/descansad*/cansad*/en, seizure medic*/refill*/doctor, bleed*/sangr* ~ period*/regla/menstrua*/menopaus*, better off with`;
/** The same, and what they name is looked for. */
const NAMED = `emergency contraception/contraceptive/contraceptives/medicine/contact, heat stroke, stroke prevention/recovery/risk/survivor/of, stroke last year, history of stroke/heart, derrame en/ocular/pleural, of a stroke, of a heart attack, history of heart attack, \
heart attack prevention/risk/survivor, poison ivy/oak/sumac, dying of`;

/** The National Domestic Violence Hotline. */
const ABUSED = "1-800-799-7233";

/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[false, phrases(CALM)], [undefined, phrases(NAMED)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [ABUSED, phrases(ABUSE)]];

const LEAST_NEAR = 4;
/** Alone, shorter words are too much like others: "choking" is no "cooking". */
const LEAST_NEAR_ALONE = 8;
const STARTS = ["suicid", "emergenc"];
const STRICT_STARTS = ["overdos"];

const isSaid = (word, known, isAlone) => {
  if (known.endsWith("!")) return word === known.slice(0, -1);
  if (known.endsWith("*")) {
    const start = known.slice(0, -1);
    return word.startsWith(start) || (STARTS.includes(start) && isNearStart(word, start, true)) || ((!isAlone || STRICT_STARTS.includes(start)) && isNearStart(word, start));
  }
  return word === known || (known.length >= (isAlone ? LEAST_NEAR_ALONE : LEAST_NEAR) && isNear(word, known));
};

const GAP = 5;
/** Where a row that begins at a token ends, or undefined. */
const endOf = ([words, ...rest], tokens, at, isAlone) => {
  if (!words) return at;
  if (words[0] === "~") {
    for (let skipped = 0; skipped <= GAP && at + skipped < tokens.length; skipped += 1) {
      if (skipped > 0 && tokens[at + skipped - 1].isMark && tokens[at + skipped - 1].word !== ",") return undefined;
      const end = endOf(rest, tokens, at + skipped);
      if (end) return end;
    }
    return undefined;
  }
  const token = tokens[at];
  const isHere = token && !token.isMark && words.some((known) => isSaid(token.word, known, isAlone));
  return isHere ? endOf(rest, tokens, at + 1) : undefined;
};

/** Takes the words of danger; returns the number to call first, or false. */
export const readDanger = (line) => {
  const numbers = new Set();
  for (const [number, rows] of TABLE) {
    for (const row of rows) {
      for (let at = 0; at < line.tokens.length; at += 1) {
        const end = endOf(row, line.tokens, at, row.length === 1);
        if (!end) continue;
        if (number === undefined) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        else if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        else line.take(at, end - at);
        if (number) numbers.add(number);
      }
    }
  }
  return ["988", "911", ABUSED].find((number) => numbers.has(number)) ?? false;
};
