// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicine/medicina/medication*/medicamento*/painkiller*/tylenol/tilenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, and ## ten or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `want/wanna/going/gonna/thinking/quiero/voy ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, 988, mental health crisis, crisis line/hotline, suicid*, kms, kill/killing/hurt/hurting/harm/harming/cut/cutting/shoot/hang/burn!/burning/starve/starving/punish/hate ${SELF}, end/ending it all, end/ending everything, it all to stop/end, everything/it to end, \
wake up anymore/again, miss! me, point in/of/to living/life/anything/existing/continuing, point in/of going/carrying on ., point anymore/anyway/., wish i could die, cut/cutting my/her/his arms!/wrist, self harm*/injur*/destruct*, unalive, wants/wanted/wanting/wanna/going to die, want/wanna to be dead, ending things, wanna die, feel/feeling like dying, \
gonna end it, to end things/myself, to end it/this ./now/tonight/today/soon, do/doing this/it/life anymore, wish i was/were dead, ready to die, dont/doesnt/not want/wanna to live/exist, dont wanna live, dont/doesnt/not want to be alive/here, end/ending/take/taking my/his/her/own life, take my/his/her own life, end/ending my pain/suffering/misery, \
tired/done of/with living/life/existing/everything, tired of fighting/struggling/trying ., cant/cannot go on ./like/living/anymore/without/with/much, cant/cannot keep/carry going/on/fighting/trying ./anymore/like/this, cant/cannot keep doing this/it, keep living/existing, life is not worth, life isnt worth, life is/feels over/empty/pointless/meaningless, life has no, not worth living, \
nothing ~ matters anymore/now/., i dont matter, safe with/from/alone/by/around/being ~ myself/thoughts, trust myself, of what i might/may/could/will/would, might/could do to myself, do/doing something ~ to myself, do/doing something stupid/bad/drastic/crazy/rash/terrible/awful/reckless/dumb/desperate, something i cant/cannot/wont take/undo, \
quiere/queria/prefiero/preferiria morir*, ganas de morir*, matarme, quitar/quitarse la vida, me/se quito la vida, pienso/pensar/pensando en morir*/matar*, en la muerte, acabar/terminar con todo, sentido a/en la/mi vida, sentido a/en seguir/vivir/nada/todo/esto, vida ~ no/ni/tiene sentido, que sentido tiene ./vivir/seguir/todo/ya/nada, nada ~ tiene sentido, \
sin sentido ./vivir/seguir, nada ~ importa ya/., tiene/hay caso seguir/vivir/./nada/ya, la pena seguir/continuar ./vivi*/asi/aqui/adelante/luchando, pena vivir, nada vale la pena, no vale la pena ./nada/ya, vida no vale, para/por que vivir/vivo, para que sigo/seguir ./viv*/aqui/asi, ya no quisiera/quiere estar/despertar/vivir, no quiero/quisiera estar aqui, \
quiero/quisiera/ojala desaparecer, me/te/se cortan/corte los/las brazos/venas/munecas/piernas, hijo se corta, cortando los/las/mis brazos/venas/munecas/piernas, estoy/esta/ando cortando ./otra/de/nuevo/mucho, estar/mejor muert*, no quiero despertar, quiere matar, voy/va a matar, ya no puedo/doy mas, no aguanto mas/., acabar/terminar con mi/su vida/sufrimiento, \
no quiere vivir, no quiero estar viv*, no quiero existir, dejar de existir/vivir/respirar, dejar de sufrir ., cansad*/canse/hart*/aburrid* de vivir/todo/existir/luchar/sufrir, cansad*/canse/hart*/aburrid* de la/mi/esta vida, ya me canse ., hacerme dano/algo, se/me hace/hago dano ., lastimarme/cortarme/autolesion*, me lastimo! ./cuando/a/mucho/para, dano/golpeo/pego!/corto!/quemo! ~ a mi misma, me odio, \
better/happier/easier off/if/without ~ me/gone/dead/died/disappeared, better/happier/off without him/her/us, cant/cannot take this/it/life anymore/any, cant live like this, dont/doesnt want to go on, dont/doesnt deserve to live, nothing ~ live for, will to live/go/fight, no reason/purpose ~ to live/stay/continue, no reason to be/go/keep alive/here/on/going/living, \
if i died/disappeared, if i was/were gone/dead, if i wasnt/werent here/alive/around, wish i wasnt/werent/never/hadnt here/alive/born/been, wish i ~ never/not/didnt ~ born/existed/exist/alive, go/fall to/asleep ~ never/not wake, and/to/would/could/ill never wake up, dont/doesnt/not want/wanna ~ wake up, hope/wish/pray/only i ~ dont/never/not/didnt/wouldnt/wont wake, rather not wake, not waking up tomorrow, tomorrow doesnt/never come/came, be a tomorrow, to see tomorrow ., sleep forever, \
a burden ./to/on/and/for, tired of being alive/anymore, giving/given/gave up on/hope life/living/everything/., i/just/to/like give/giving up ., want/wish it/this/everything to be over/done ., pain to end/stop/go ./forever, pain to end/stop for good, want/wish to disappear, i/he/she/just/wanna disappear, i could/would/should disappear, disappear forever, \
dont/doesnt/not care if/whether i/he/she live/die, rather be/not dead/exist, rather die, goodbye letter/note/message/video/., goodbyes ./to, goodbye everyone/everybody/world/family/all/cruel/forever, letters/notes to/for my/all/each/the, giving/give ~ things/stuff/belongings/possessions, giving ~ everything away, \
jump/jumping off/from a/the bridge/building/roof/balcony/window/cliff, bridge ~ jump*, about/of/and jumping ./off, front of a/the train/truck/bus, no one/nobody would ~ notice/care if, would notice/care/miss if i/me, would/will anyone/anybody ~ notice/care ./if, if i took/swallowed all/them/these, saving/saved/stockpil*/hoard*/stash*/collecting ~ pills/meds, i/ive have/got ~ pills/meds ready, pills ~ in my hand, gun ~ loaded, noose, no/any/only/other/a way out ./for/anymore/but, way out of this/life, feel/feeling/felt/im/am/so/is/completely/totally hopeless/worthless, no hope ./left/for/anymore, lost all hope, \
been/started/keep/im/am cutting again/., thinking/think/thought/want/going/gonna/could/might/tempted/planning ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, take/taking/swallow/swallowing/took them/these all, see/have ~ a/any/my future ./for/anymore, no future ./for/anymore, dark/darkest/bad/scary/horrible/terrible thoughts, cant/cannot/shouldnt be alone ./tonight/now/right/with my, \
everyone/everybody/theyre ~ tired/sick of me, already wrote/written the/my/a letter/note, wont/not be here/around/alive anymore/much/longer, why am i alive/here, why am i even/still alive/here, why bother ./living/anymore, im/am/so done ., want/need out ., dead inside, just cant anymore, hate/odio my/mi life/vida, have ~ nothing left ., dont need me ., end of my rope, see a/any way forward, feel trapped, no escape, urge/need to cut ., thinking/think/thought about/of death/dying, dont care anymore ., danger to/for myself, peligro para mi!, through/survive the night/tonight, in heaven, en el cielo, cant/cannot cope anymore/., make it/the stop/pain/voices, mejor/felices sin mi!, mejor sin el!/ella! ., sin mi! estarian/serian/vivirian, soy/siento/es/ser/como una carga, carga para mi/todos/ellos/los, estorbo!, \
nadie me necesita/quiere, nadie/quien ~ extranar*/extrana!, me va/van a extranar!, nadie ~ echa* de menos, juntando!/juntado!/junte!/guardado/guardadas/guarde!/acumul*/escond* ~ pastillas, tengo ~ pastillas ~ listas/guardadas/mano!, tengo ~ list* ~ pastillas, a nadie le importo!, no le importo! a, si no estuviera/existiera/despertara, si yo no estuviera/existiera, si me muriera/muera, no/nunca haber/hubiera/hubiese nacido, ojala me muera/muriera, dormir* ~ no despertar, dormir*/descansar/irme/dolor/sufrimiento para siempre, no merezco vivir, ni de vivir, sin/perdi/ninguna/las/tengo ganas de vivir/seguir/existir, \
razon/razones/motivo/fuerza para vivir/seguir/continuar, aventarme/tirarme/lanzarme/arrojarme de/del/desde/al/a, ahorcarme, dispararme, carta/nota/mensaje/video de despedida/adios, es/una mi/ultima despedida, despedir*/despedi!/despido!/despidiendo ~ de ~ todos/mis/ustedes/familia/hijos/vida, adios a todos, adios todos/mundo/mama/familia/vida/cruel, adios a mi/mis/la familia/hijos/vida, \
perdon!/perdonen!/perdoname por todo, perdonenme, regale/regalado/regalar ~ mis ~ cosas/pertenencias, ya no aguanto/soporto esto/vivir/nada, no aguanto/soporto la/mi/esta/vivir vida, no quiero/puedo seguir ./asi/viviendo/aqui/adelante/mas/luchando, no soporto mas, no puedo con mi/la vida, con esta vida, de este mundo, me da igual vivir/morir, me da igual si vivo/muero, vivir o morir, \
que todo ~ termine/acabe/acabara/terminara/pare, que esto ~ termine/acabe ., veo/hay/encuentro/queda otra/ninguna/una/la/mas salida, veo/hay/encuentro salida, sin salida, veo/tengo/hay/encuentro futuro, seguro/salvo/solas conmigo, confio en mi misma, fio de mi, miedo ~ lo que haga, miedo ~ lo que pueda/podria/vaya/voy ~ hacer*, miedo a/de mi misma, hacer/cometer una/alguna tonteria/locura/estupidez/barbaridad, \
pensamientos/ideas ~ oscur*/negr*/malos/feos, tomarmelas/tomarme/tragarme ~ todas, tomar* ~ todas ~ pastillas, me rindo, no sirvo para nada, no valgo nada, perdi ~ esperanza*, sin/hay/ninguna esperanza*, todo se acabo, ya se acabo todo, \
ojala ~ no despert*, mejor ~ no despert*, quisiera/quiero/gustaria/prefiero no despert*, no despert* nunca/jamas, no amanecer/amanezca/amaneciera ./manana, no quiero amanecer ./manana, quisiera que amaneciera, no hubiera/haya manana ., ver el manana, quiere/quiso hacer dano/algo, quiero lastimar*, todos ~ cansad*/hart* de mi, ya escribi ~ carta/nota`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
/** Alone they are a cry, and "help me sleep" is none. */
const CHILD = "baby/babies/newborn/infant/child/children/kid/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const CRY = `want/wanna/going/gonna/afraid/scared/urge/thoughts/thinking/thought/feel ~ hurt/hurting/harm/harming/kill/killing/shake!/shaking/smother*/drown*/suffocat*/strangl*/hitting/throwing ~ ${CHILD}, i could/might/may/will/would/almost hurt/harm/kill/shake!/smother/drown ~ ${CHILD}, i/ive hurt/shook/hit!/choked/burned my/the ${CHILD}, \
quiero/quisiera/ganas/miedo/podria/voy/pienso/pensamientos/ideas ~ lastim*/dano/danar*/matar*/ahogar*/asfixi*/golpear*/pegar*/sacudir* ~ ${CHILD}, ^ help!/sos/ayuda/ayudenme/socorro $, ^ help! me/us/please/pls ./now/please, ^ please/pls/somebody/someone/anybody help! $, ^ please/pls/somebody/someone/anybody help! me/us ./please, ^ i need help! ./now, ^ need help! ., ^ ayud*/por por/favor favor/ayud* $, ^ necesito ayuda ./ya/ahora/urgente, emergenc*, 911, in crisis, en crisis`;
const TAKEN = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swelling/swell*/hinch*/inchad*";
const HOT = "hot!/warm!/red!/caliente/roja/rojo";
const SURGERY = "surgery/operation/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const LIMB = "leg/legs/calf/arm/thigh/pierna/pantorrilla/brazo";
const EMERGENCY = `${TAKEN} ~ # ~ ${PILLS}, me/se tomo ~ # ~ ${PILLS}, ${TAKEN} ~ bottle/frasco, had! ## ${PILLS}, take/taking/tomo/tomar* ~ ## ~ ${PILLS}, ^ ## ${PILLS} ./last/ago/at/and/anoche/hace/de/y, im/am bleeding, estoy sangrando, \
clot*/coagul*/trombo* in/en my/the/his/her/la/mi/el/una ${LIMB}/lung*/brain/pulmon*/cerebro, ${SWOLLEN} ~ ${HOT} ./and/y/e/to/too/but/also/right/since/desde/al/with/con, ${HOT} ~ ${SWOLLEN} ${LIMB}, ${SWOLLEN} ${HOT} ${LIMB}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, ${SWOLLEN} ~ clot*/coagul*, one/left/right leg/calf ~ ${SWOLLEN}, una/sola/izquierda/derecha pierna ~ hinch*, pierna izquierda/derecha ~ hinch*, \
suddenly/sudden/repente/repentin*/subit* ~ confus*/disorient*/desorient*, confus*/disorient*/desorient* ~ suddenly/sudden/fever/shak*/repente/repentin*/subit*/fiebre, cant/cannot/wont/doesnt/not/couldnt stop shaking/shivering/trembling/twitching, shak*/shiver*/trembl* ~ uncontrol*/violent*/nonstop, no ~ dejo/deja/puedo/puede/para!/paro/parar ~ tembl*, \
fever/feverish/chills/temperature/fiebre/calentura/escalofrio* ~ ${SURGERY}, ${SURGERY} ~ fever/feverish/chills/fiebre/calentura/escalofrio*, urgencia medica, ambulanc*, overdos*, chestpain*, heartattack, heart attack*, stroke, couldnt/not/isnt breath*, \
trouble/difficulty breathing, short/shortness of breath, hard to breathe, stopped breathing, unconscious, passed/passing out, choking, hemorrhag*, bleeding a lot, bleed/bleeding to death, kill/hurt someone/somebody, bleeding out, severe bleeding, \
stop bleeding, coughing/throwing up blood, vomiting blood, took/taken a lot of pills, took/taken all my/his/her/the pills, whole/entire/full bottle, move one side, one side of my/his/her face/body is/went/feels, half of my/his/her face, poison*, \
anaphyla*, seizure*, im/is dying, sobredosis, tomo muchas pastillas, todas las/mis/sus pastillas, un derrame, me/le duerm*/durmi*/volte*/jal* ~ cara!/boca!, enchuec*/chue*/torc*/tuerc* la cara/boca, cara!/boca! de lado, fue de lado, fue/cae ~ cara!/boca! ~ lado, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, hablar enred*, traba la lengua, me/le va la vida ./y/ya, duerme/durmio/dormida/paralizo un/media lado/cara, desmay*, auxilio, \
presion/opresion en el pecho, ataque al corazon, ataque cardiaco, infarto, derrame cerebral, cuesta respirar, dificultad para respirar, falta de/el/la aire/respiracion, inconsciente, ahogo!/ahogando, no respira, siento que me muero, hemorragia, envenena*, \
convuls*, estoy/esta muriendo, escupo/vomito sangre, chest ~ tight*/pressure/funny/weird/strange/elephant/crush*/squeez*/heavy!/heaviness/hurt*/pain*/numb/stabb*/explod*, elephant/crush*/squeezing/pressure/weight/tight*/pain*/stabb*/heavi* ~ chest!, \
left arm ~ numb*/hurt*/pain*/ting*/weak/heavy, numb*/pain*/ting*/ach* ~ left arm, pain* ~ down/into/to/through my/his/her arm/jaw, heart stopped/stopping, cardiac arrest, gasping, struggl*/unable/barely to breath*, barely breath*, cant/cannot ~ breath*, \
cant get air, get/getting enough air, asthma attack, turn*/going/went/gone blue!/purple, lips ~ blue!/purple, blue lips, face/mouth/smile ~ droop*/crooked/sagg*/numb, side ~ face/body ~ numb/weak/paraly*/droop*, \
cant/cannot/couldnt feel/move my/his/her/the legs/arms/face/side/left/right, numb/weak/lift/move ~ suddenly/sudden, face fell/dropped, cant/cannot smile, suddenly/sudden ~ cant/blind/confused/numb*/weak*/see/vision/speak/talk, cant/cannot speak/talk/see suddenly/properly/straight/clearly, slurr*, \
worst headache/migraine ~ life/ever, lost ~ vision suddenly, bleed* ~ heavily/badly/profusely/nonstop/everywhere/faint*/pregnan*/uncontrol*, pregnan* ~ bleed*/hemorrh*/blood!, bleeding wont/doesnt/not stop, lost ~ of blood, losing ~ blood, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, every/an/cada/por hour!/hora! ~ pad/pads!/tampon*/toalla, passing ~ large/big!/giant clots!, huge/giant/massive clots!, clots!/coagul* ~ size/tamano/enorm*/gigant*, bleed*/sangr* ~ dizz*/lightheaded/mare*/chorros, dizz*/lightheaded/mare* ~ bleed*/sangr*, gush* ~ blood!, blood! ~ gush*, \
having a miscarriage, baby ~ stopped/not/isnt move/kicking, water broke, fainted, collapsed, unresponsive, ${KIN} ~ not/isnt/wont/doesnt/stopped respond*/responsive/wake/waking/breath*/moving, cant/cannot/couldnt wake him/her/my/them, blacked out, \
lost consciousness, no pulse, not conscious, swallowed/drank/ingested/ate ~ bleach/battery/batteries/detergent/antifreeze/cleaner/magnet*/chemical*/pills, ${KIN} ~ swallowed/ate/into ~ pills/meds/medicine/medications, \
took/take ~ too much/many ~ insulin/tylenol/medicine/medications/meds/drugs/sleeping, carbon monoxide, snake bit*, by a snake/rattlesnake, tongue/lips/throat ~ swell*/closing/closed, swell* ~ tongue/lips/throat, \
severe/bad/serious/having allergic reaction, having an allergic reaction, allergic reaction ~ breath*/swell*/throat, epipen, burned!/burnt!/scalded ~ badly/boiling/oil/chemical*/hands/face/arm/skin/leg/body, third degree burn*, severe/bad/chemical burns, \
foaming at, shaking uncontrollably, having a fit, almost/nearly drowned, got/been/was/were shot!/stabbed, dolor*/duele/peso!/aprieta/oprime/elefante/punzada*/apreton/aplast*/ardor ~ pecho!, \
pecho! ~ aprieta/oprime/elefante/aplast*/duele/dolor*/apretado/dormido, duerme/dorm*/adorm*/entum*/duele/dolor*/hormigu* ~ brazo izquierdo, brazo izquierdo ~ duerm*/dorm*/adorm*/entum*/duele/dolor*/hormigu*, paro cardiaco/respiratorio, \
apenas puede/logro respirar, no ~ entra ~ aire!, ataque ~ asma, batall*/trabaja para respirar, asfixi*, atragant*, no ~ puede respirar, pone/puso/poniendo/labios morad*/azul!/azules, cayo/caida/paraliz*/dorm*/adorm* ~ cara!/boca!, \
cara!/boca! ~ cayo/caido/paraliz*/torcid*/chueca/dormida, no ~ puede hablar bien/claro, no puede/siente mover/el/la/un/los/las ~ brazos/piernas/lado/cuerpo/cara!, repente ~ no puede/veo/ve!, repente ~ debil*/confund*/ciega, arrastra* las palabras, \
peor dolor de cabeza, embaraz* ~ sangr*/hemorr*, sangr* ~ embaraz*, sangrando/sangra ~ muchisimo/mucha/parar, desangr*, rompio la fuente, bebe ~ no ~ mueve/moverse/respirando, perdiendo/perdio ~ sangre/conocimiento, sal*/ech* ~ coagul* ~ grandes, coagulotes, no me/le/para!/deja para!/deja/el/la/de ~ sangr*, \
${PARIENTE} ~ no ~ responde/reacciona/despierta, no se despierta, no despierta/reacciona, no puedo/podemos/logro despertar*, no tiene pulso, colapso, trago/tragado/tomo/bebi/comio/ingirio ~ cloro/pilas/veneno/detergente/lejia/bateria*, \
trago/tragado ~ pastillas/medicina*/medicamento*, tomo ~ demasiad*/frasco, monoxido de carbono, mordi* ~ vibora/serpiente/culebra, lengua/labios/garganta ~ hinch*/cerr*, hinch* ~ lengua/labios/garganta, cerr* ~ garganta, \
reaccion alergica ~ grave/fuerte/severa/respir*, choque anafil*/alergico, quem* ~ grave/mucho/aceite/hirviendo/agua/manos/brazo/cara!/cuerpo, quemadura* ~ tercer/segundo/quimica*, espuma por, ataques epilept*, dispar* ~ me!/lo!/le!, \
balazo, gunshot, electrocut*, thunderclap, words ~ garbled, snakebite, fuga de gas, demasiadas pastillas, apunal*`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiance/fiancee/dad/he!/she!/they!";
const OTROS = "esposo/esposa/marido/pareja/novio/novia/ex/papa/el!/ella!";
const ABUSE = `domestic/partner violence/abuse, abusive relationship/marriage/${OTHERS}, ${OTHERS} hits/beats!/beat!/abused/slaps/slapped/punched/choked/strangles/kicks/kicked/pushes/shoves/threatens/threatened/raped/forces/hurts! me, \
is/keeps/been/was scaring/abusing/hitting/beating/threatening/choking/hurting me, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, not safe at/around home/him/her, not safe with him/her, dont feel safe at/with/around, unsafe at home, afraid/scared to go home, battered, i was/got raped, \
${OTHERS} puts/laid his/her hands on me, sexually assaulted, is/was abusive, afraid/scared of my ${OTHERS}, violencia domestica/intrafamiliar, ${OTROS} me pega!/pego!/golpeo/maltrato, me pega!/pego!/golpeo/maltrata mi ${OTROS}, \
${OTROS} me empujo/ahorco/pateo/cacheteo/amenazo/encierra, me violo/violaron, no ~ siento/estoy seguro ~ casa!, no ~ siento/estoy seguro con mi ${OTROS}, miedo ~ volver/regresar ~ casa!, golpes de mi ${OTROS}, abuso de mi, miedo a/de mi ${OTROS}`;
/** What has such words and isn't a danger. */
const CALM = `save/saving/saved money, not an emergency, isnt an emergency, non emergency, no es una emergencia, no es emergencia, killing me, dying to, muero por, muero de, desaparecer las/los/el/la, cut myself some slack, respond*/responde/responding to/a/al, hablar bien ingles/el/en, \
despiert*/despertar temprano/descansad*/cansad*/en/tan, seizure medic*/refill*/doctor, take/taking all my pills/meds/medicines in/at/with/every/before/after, todas mis pastillas/medicinas en/por/con/cada, be here long/all, mas con los/las/el/mis sofocos/bochornos/calores/calor/sudores/insomnio, estar con mi doctor*/medic*, heating pad, boca abierta, goodbye to my old, hopeless at/with, bleed*/sangr* ~ period*/regla/menstrua*, take/taking/tomo ~ ## ~ pill/pills/pastillas ~ day/daily/every/cada/dia/diarias, refill*/need/surtir*/receta ~ ## ~ pill/pills/tablets/pastillas, had/history a/of blood/clots, better off with`;
/** The same, and what they name is looked for. */
const NAMED = `receta de, wake/waking up at/tired/rested/exhausted/so/too/early/every, wake/waking up in the night/middle, emergency contraception/contraceptive/contraceptives/medicine/contact, heat stroke, stroke prevention/recovery/risk/survivor/of, stroke last year, history of stroke/heart, derrame en/ocular/pleural, of a stroke, of a heart attack, history of heart attack, \
heart attack prevention/risk/survivor, poison ivy/oak/sumac, dying of, irregular/light bleeding, sangrado irregular/leve`;

/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `bleed*/bleeding/bled!/spotting/clot!/clots!/coagulos/sangra*/sangrando/sangrado/sangro!/zangr*/manchando/hemorrhag*, blood in/from/on/when my/the/i/urine/stool/poop/pee/semen, lot/lots/much of blood, losing/peeing/pooping/spitting/coughing blood, \
sangre en/al/por mi/la/el/orina/orinar/defecar/nariz orina/popo/heces/excremento/nariz/recto/taza/papel/., sangre al orinar/defecar/toser, mucha sangre, tirando/orino/salida/sale/hay/perdiendo/con sangre`;

/** The National Domestic Violence Hotline. */
export const ABUSED = "1-800-799-7233";

/** A cry for help that doesn't say of what. */
export const HELP = "help";
/** What may be one: the search goes on beside it. */
export const MAYBE = "maybe";

/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[MAYBE, phrases(BLEEDING)], [false, phrases(CALM)], [undefined, phrases(NAMED)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [HELP, phrases(CRY)], [ABUSED, phrases(ABUSE)], [BESIDE, phrases(BESIDE)]];

const LEAST_NEAR = 4;
/** Alone, shorter words are too much like others: "choking" is no "cooking". */
const LEAST_NEAR_ALONE = 8;
const STARTS = ["suicid", "emergenc"];
const STRICT_STARTS = ["overdos"];

const MANY = /^(?:[3-9]|\d\d+|three|four|five|six|seven|eight|nine|tres|cuatro|cinco|seis|siete|ocho|nueve)$/;
const LOTS = /^(?:\d\d+|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|dozens?|handful|bunch|diez|once|doce|quince|veinte|treinta|cuarenta|cincuenta|cien|docena|punado|monton)$/;
/** "20 mg" isn't a number of pills. */
const UNIT = /^(?:m?c?[gl]|iu|units?|unidades|days?|weeks?|months?|years?|hours?|minutes?|[ap]m|times?|dias?|semanas?|mes(?:es)?|anos?|horas?|minutos?|veces)$/;

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
  if (words[0] === "^") return tokens.slice(0, at).every(({ isMark }) => isMark) ? endOf(rest, tokens, at) : undefined;
  if (words[0] === "$") return tokens.slice(at).every(({ isMark }) => isMark) ? at : undefined;
  if (words[0] === "~") {
    for (let skipped = 0; skipped <= GAP && at + skipped < tokens.length; skipped += 1) {
      if (skipped > 0 && tokens[at + skipped - 1].isMark && tokens[at + skipped - 1].word !== ",") return undefined;
      const end = endOf(rest, tokens, at + skipped);
      if (end) return end;
    }
    return undefined;
  }
  const token = tokens[at];
  if (words[0][0] === "#") return token && (LOTS.test(token.word) || (words[0] === "#" && MANY.test(token.word))) && !UNIT.test(tokens[at + 1]?.word) ? endOf(rest, tokens, at + 1) : undefined;
  if (words.includes(".") && (!token || token.isMark)) return endOf(rest, tokens, at);
  const isHere = token && !token.isMark && words.some((known) => isSaid(token.word, known, isAlone));
  return isHere ? endOf(rest, tokens, at + 1) : undefined;
};

/** Takes the words of danger; returns the number to call first, or false. */
export const readDanger = (line) => {
  const numbers = new Set();
  for (const [number, rows] of TABLE) {
    if (number === BESIDE && !numbers.has("911")) continue;
    for (const row of rows) {
      for (let at = 0; at < line.tokens.length; at += 1) {
        const end = endOf(row, line.tokens, at, row.length === 1);
        if (!end) continue;
        if (number === undefined) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        else if (number === MAYBE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        else line.take(at, end - at);
        if (number) numbers.add(number);
      }
    }
  }
  return ["988", "911", ABUSED, HELP, MAYBE].find((number) => numbers.has(number)) ?? false;
};
