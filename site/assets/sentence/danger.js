// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicina/medication*/medicamento*/painkiller*/tylenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, and ## ten or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `want/wanna/going/gonna/thinking/quiero/voy ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, kill/hurt/hurting/harm/harming/starve/burn!/cut/cutting/hang/starving/killing/shoot/burning/hate/punish ${SELF}, ending things, end/ending everything, kms, \
not worth living, tired/done of/with life/living/everything/existing, trust myself, to end myself/things, it/everything to end, need/urge to cut ., want/wish it/this/everything to be over/done ., \
point in/of/to life/anything/existing/living/continuing, keep existing/living, life isnt worth, point in/of going/carrying on ., point ./anymore/anyway, cant take it/this/life anymore/any, want/need out ., way out of this/life, \
to end it/this ./now/soon/tonight/today, cant keep doing it/this, do/doing it/this/life anymore, dont wanna live, dont/doesnt want to go on, dont/doesnt deserve to live, dont/doesnt/not want/wanna to live/exist, \
dont/doesnt/not want to be alive/here, cant live like this, do/doing something ~ to myself, something i wont/cant take/undo, end/ending/taking/take my/his/own/her life, take my/his/her own life, cut/cutting my/his/her arms!/wrist, \
feel/feeling like dying, tired of trying/fighting/struggling ., cant keep/carry on/going/trying/fighting this/anymore/like/., just cant anymore, dont care anymore ., cant go on much/anymore/like/./with/without/living, life is not worth, \
life is/feels over/empty/pointless/meaningless, nothing ~ live for, i dont matter, nothing ~ matters ./now/anymore, dont need me ., shouldnt/cant be alone now/./with/right/tonight my, safe around/by/with/alone/from/being ~ myself/thoughts, \
keep myself safe, tired of being anymore/alive, might/could do to myself, of what i might/may/will/would/could, better/happier/easier if/without/off ~ me/gone/dead/died/disappeared, better/happier/off without us/her/him, quiere matar, \
queria/preferiria/prefiero/quiere morir*, voy/va a matar, pienso/pensando/pensar en morir*/matar*, vivir o morir, quitar/quitarse la vida, me/se quito la vida, sentido a/en la/mi vida, sin sentido ./vivir/seguir, hate/odio my/mi vida/life, \
pensamientos/ideas ~ negr*/malos/feos/oscur*, vida ~ ni/no/tiene sentido, nada ~ tiene sentido, nada ~ importa ./ya, sentido a/en seguir/todo/esto/vivir/nada, que sentido tiene todo/./vivir/nada/ya/seguir, hay/tiene caso ./vivir/seguir/nada/ya, \
pena vivir, no quiere vivir, no merezco vivir, no vale la pena ./nada/ya, la pena continuar/seguir ./asi/vivi*/aqui/adelante/luchando, para que sigo/seguir ./asi/viv*/aqui, no valgo nada, por/para que vivo/vivir, quisiera que amaneciera, \
ya no quiere/quisiera estar/vivir/despertar, dormir* ~ no despertar, will to go/fight/live, why bother ./anymore/living, otra vez ~ cortando, me sigo cortando, ando/estoy/estado/esta cortando otra/./de/nuevo/mucho, me odio, \
me lastimo!/corto!/golpeo! ./cuando/a/mucho/para, cortando los/las/mis venas/munecas/brazos/piernas, me/te/se cortan/corte los/las venas/munecas/brazos/piernas, mejor ~ no despert*, life has no, estar/mejor muert*, no quiero estar viv*, \
vida no vale, no quiero despertar, dejar de existir/vivir/respirar, no amanezca/amaneciera/amanecer ./manana, no quiero existir, no quiero amanecer ./manana, noose, suicid*, no reason/purpose ~ to stay/continue/live, ya me canse ., \
cansad*/canse/hart*/aburrid* de existir/vivir/sufrir/todo/luchar, dejar de sufrir ., cansad*/canse/hart*/aburrid* de la/mi/esta vida, en la muerte, regalado/regalar/regale ~ mis ~ cosas/pertenencias, todos ~ cansad*/hart* de mi, miedo a/de mi misma, \
quemo!/corto!/dano/pego!/golpeo ~ a mi misma, confio en mi misma, if i was/were gone/dead, no reason to go/keep/be alive/here/on/going/living, wish i was/were dead, unalive, why am i here/alive, why am i still/even here/alive, \
gave/giving/given up hope/on life/living/everything/., want/wish to disappear, disappear forever, pain to go/end/stop ./forever, pain to end/stop for good, no hope ./for/anymore/left, it all to end/stop, i/to/like/just giving/give up ., \
a burden on/to/and/for/., no future ./for/anymore, wish i could die, dont/doesnt/not want/wanna ~ wake up, want/wanna to be dead, i could/would/should disappear, i/he/she/just/wanna disappear, wanna die, rather not wake, rather die, \
rather not/be dead/exist, dont/doesnt/not care if/whether i/he/she live/die, danger for/to myself, letters/notes for/to my/the/each/all, giving/give ~ belongings/possessions/stuff/things, gonna end it, giving ~ everything away, \
have ~ nothing left ., about/of/and jumping off/., thinking/think/thought about/of dying/death, bridge ~ jump*, jump/jumping off/from the/a bridge/balcony/roof/building/cliff/window, go/fall to/asleep ~ never/not wake, sleep forever, \
to/and/ill/would/could never wake up, in heaven, goodbye letter/note/./video/message, goodbye family/everyone/all/world/cruel/forever, will/would anyone ~ notice/care if/., no one/nobody would ~ notice/care if, would miss/notice/care if me/i, \
cant cope ./anymore, wish i ~ never/not/didnt ~ existed/exist/born/alive, if i died/disappeared, been/keep/am/im/started cutting again/., wants/wanna/going/wanting/wanted to die, i/ive got/have ~ pills/meds ready, ready to die, \
already wrote/written my/the/a letter/note, pills ~ in my hand, end/ending my pain/misery/suffering, lost all hope, feel/feeling/felt/totally/completely/am/is/im/so hopeless/worthless, no/other/only/any/a way out for/./but/anymore, \
make it/the pain/voices/stop, dead inside, end/ending it all, wake up again/anymore, front of the/a train/truck/bus, not waking up tomorrow, be a tomorrow, tomorrow doesnt/never came, to see tomorrow ., feel trapped, see any/a way forward, \
see/have ~ my/any/a future ./for/anymore, everyone/theyre ~ sick/tired of me, goodbyes to/., thinking/think/thought/planning/want/going/gonna/tempted/might/could ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, \
saving/saved/collecting/hoard*/stash*/stockpil* ~ pills/meds, no sirvo para nada, carga para todos/mi/ellos/los, do/doing something drastic/stupid/rash/desperate/terrible/bad/reckless/dumb/crazy/awful, mejor sin el!/ella! ., felices/mejor sin mi!, \
fuerza/razon/razones/motivo para continuar/vivir/seguir, hacerme dano/algo, quiere/quiso hacer dano/algo, matarme, perdonenme, perdonen!/perdon!/perdoname por todo, dispararme, pray/only/hope/wish i ~ never/not/dont/didnt/wouldnt/wont wake, \
a nadie le importo!, nadie me quiere/necesita, perdi ~ esperanza*, ganas de morir*, volvi a cortar*, miss! me, 988, sin/ninguna/tengo/perdi/las ganas de vivir/seguir/existir, ni de vivir, \
guarde!/juntando!/junte!/juntado!/guardado/escond*/guardadas/acumul* ~ pastillas, tomar* ~ todas ~ pastillas, tengo ~ pastillas ~ listas/mano!/guardadas, tengo ~ list* ~ pastillas, gun ~ loaded, no le importo! a, peligro para mi!, \
ojala me muriera/muera, si me muriera/muera, nunca/no hubiera/hubiese/haber nacido, nada vale la pena, not/wont be alive/here/around much/anymore/longer, if i wasnt/werent here/alive/around, wish i wasnt/never/hadnt/werent here/alive/born/been, \
dormir*/descansar/irme/dolor/sufrimiento para siempre, am/im/so done ., como/ser/siento/soy/es una carga, ya no aguanto/soporto esto/vivir/nada, no aguanto/soporto vivir/la/mi/esta vida, end of my rope, no aguanto ./mas, self injur*/destruct*/harm*, \
cometer/hacer una/alguna estupidez/barbaridad/tonteria/locura, si yo no estuviera/existiera, si no estuviera/existiera/despertara, ya se acabo todo, todo se acabo, ahorcarme, me quiero cortar los/las/mis/., quiero lastimar*, hijo se corta, \
no soporto mas, lanzarme/arrojarme/tirarme/aventarme del/de/a/desde/al, ya escribi ~ nota/carta, no escape, nota/carta/video/mensaje de adios/despedida, con esta vida, adios a todos, ya no puedo/doy mas, no puedo con la/mi vida, \
despedi!/despido!/despidiendo/despedir* ~ de ~ ustedes/mis/todos/familia/hijos/vida, adios a mis/la/mi familia/hijos/vida, adios mundo/cruel/mama/todos/familia/vida, de este mundo, lastimarme/autolesion*/cortarme, me rindo, \
me da igual si vivo/muero, me da igual morir/vivir, a salvo sol*, no quiero/quisiera estar aqui, sin mi! estarian/serian/vivirian, no quiero/puedo seguir ./asi/viviendo/aqui/adelante/luchando/mas, mantenerme segur* hoy/esta/., \
salvo/solas/seguro conmigo, mantener* ~ salvo, que esto ~ termine/acabe ., que todo ~ termine/acabe/terminara/pare/acabara, acabar/terminar con su/mi vida/sufrimiento, acabar/terminar con todo, queda/veo/hay/encuentro otra/ninguna/la/una/mas salida, \
sin salida, veo/hay/encuentro salida, veo/hay/encuentro/tengo futuro, estorbo!, nadie/quien ~ extranar*/extrana!, nadie ~ echa* de menos, fio de mi, miedo ~ lo que pueda/podria/voy/vaya ~ hacer*, miedo ~ lo que haga, crisis hotline/line, \
mental health crisis, en el cielo, terrible/bad/scary/horrible/darkest/dark thoughts, talk to/with someone/anyone ~ not ok, not ok ~ talk to/with someone/anyone, not doing well/ok ~ someone, survive/through the night/tonight, \
me/se hago/hace dano ./cuando/a/mucho/yo, me van/va a extranar!, hay/sin/ninguna esperanza*, tragarme/tomarme/tomarmelas ~ todas, ojala ~ no despert*, no despert* nunca/jamas, gustaria/quiero/quisiera/prefiero no despert*, \
no/me/estoy/siento estoy/siento/muy bien/mal ~ hablar con alguien, hablar con alguien ~ no/me/estoy/siento estoy/siento/muy bien/mal, una/es ultima/mi despedida, quiero/quisiera/ojala desaparecer, if i swallowed/took them/these/all, \
take/taking/swallow/swallowing/took them/these all, no hubiera/haya manana ., ver el manana`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
const CHILD = "baby/babies/newborn/infant/child/children/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiancee/dad/he!/she!/they!";
const OTROS = "esposa/marido/pareja/novia/ex/papa/el!/ella!";
const VOICES = "voices/voces/voses";
const PEOPLE = "someone/people/alguien/gente";
const VICTIM = `${KIN}/neighbor*/boss/coworker/roommate/ex!/him!/her!/them!`;
const VICTIMA = `${PARIENTE}/vecin*/jefe/suegr*`;
/** What may end with someone else hurt: 911, and 988 to talk. */
const HARM_ROWS = `want/wanna/going/gonna/thinking/feel/thoughts/afraid/scared/urge ~ kill/hurt/hurting/harm/harming/smother*/killing/shaking/strangl*/suffocat*/hitting/throwing/drown*/shake! ~ ${CHILD}/${PEOPLE}, lo/la/los/las quiero matar, \
pienso/miedo/quisiera/quiero/ganas/podria/voy/pensamientos/ideas ~ lastim*/dano/pegar*/asfixi*/danar*/matar*/golpear*/ahogar*/sacudir* ~ ${CHILD}/${PEOPLE}, lo/la/los/las voy/vamos a matar, \
pienso/voy/vamos/quiero/ganas ~ lastim*/apunal*/danar*/matar* a/al ~ ${VICTIMA}, kill/hurt someone, to/gonna/wanna/about/of/like kill/killing/stab!/shoot!/hurting/hurt!/murder my/the/our ${VICTIM}, \
i/ive burned/choked/hit!/hurt/shook my/the ${CHILD}, i might/may/will/would/could/almost drown/smother/harm/kill/hurt/shake! ~ ${CHILD}/${VICTIM}, will/to/gonna/wanna/about kill/killing/stab!/shoot!/murder him!/her!/them!/${PEOPLE}, homicid*, \
oigo/hearing/here/escuch*/heard ${VOICES}, ${VOICES} ~ kill/told!/dice*/mand*/telling/tells/tell!/orden*/head!/cabeza, a/quiero matarl*`;
/** Alone they are a cry, and "help me sleep" is none. */
const CRY = `no estoy bien $, am/im not ok $, ^ ayud*/por favor/por favor/ayud* $, ^ help!/socorro/ayuda/ayudenme/sos $, ^ help! us/me/please/pls ./now/please, ^ please/pls/someone help! us/me ./please, ^ please/pls/someone help! $, ^ i need help! ./now, \
^ need help! ., ^ necesito ayuda ./ya/urgente/ahora, en crisis, in crisis, 911, emergenc*`;
const SWALLOWED = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swell*/hinch*";
const HOT = "hot!/warm!/red!/caliente/roja";
const SURGERY = "surgery/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const FEVER = "fever/feverish/chills/temperature/temp/fiebre/calentura/escalofrio*";
const STIFF = "stiff/rigid*/tieso";
const SUDDEN = "suddenly/sudden/repente/repentin*/subit*/golpe";
const SEVERE = "severe/terribl*/horribl*/sharp/explot*/estall*/worst/fuerte/bad/intens*/awful/excruciating/unbearabl*/insoportabl*/much*/peor";
const HEAD = "headache/migraine/head!/cabeza";
const LIMB = "legs/calf/arm/thigh/pierna/pantorrilla/brazo";
const PAIN = "pain*/hurt*/sore!/ach*/tender/dol*/duel*/adol*";
const BLOOD = "blood/sangre";
/** A wrong or a double dose, for which Poison Help is there. */
const WRONG = "double/twice/doble/extra/wrong/equivocad*/demasiad*/much/two/dos";
const DOSE = `${PILLS}/dose/dosis/jarabe`;
const DOSES = `${SWALLOWED} ~ ${WRONG} ~ ${DOSE}, gave/got/di!/dimos/tomo! & ${CHILD}/him!/her!/le! & ${WRONG} & ${DOSE}`;
const EMERGENCY = `half of my/his/her face, left arm & numb*/weak/ach*/pain*/hurt*/ting*/heavy, take/taking/tomo/tomar* ~ ## ~ ${PILLS}, ${SWALLOWED} ~ # ~ ${PILLS}, ${SWALLOWED} ~ bottle/frasco, full/whole/entire bottle, unconscious, not conscious, had! ## ${PILLS}, \
^ ## ${PILLS} last/./de/anoche/ago/hace/y/and/at, me/se tomo ~ # ~ ${PILLS}, ${DOSES}, ${LIMB} & ${SWOLLEN} & ${PAIN}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, ${HOT} ~ ${SWOLLEN} ${LIMB}, ${SWOLLEN} ${HOT} ${LIMB}, \
${SWOLLEN} ~ ${HOT} ./but/y/and/desde/also/to/too/con/with/right/since/al/e, left/right/sola/una/izquierda/derecha/one calf/leg/pierna ~ ${SWOLLEN}, pierna izquierda/derecha ~ hinch*, no podemos/logro/puedo despertar*, ${SWOLLEN} ~ clot*/coagul*, \
trombo*/clot*/coagul* in/en my/the/his/her/mi/el/la/una ${LIMB}/lung*/cerebro/pulmon*/brain, electrocut*, asfixi*, tomo ~ demasiad*/frasco, estoy/esta muriendo, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, \
couldnt/cant/wont/doesnt/not stop twitching/shaking/trembling/shivering, face fell, every/an/cada/por hour!/hora! ~ pad/pads!/tampon*/toalla, shortness/short of breath, heart stopped/stopping, stopped breathing, difficulty/trouble breathing, \
shak*/shiver*/trembl* ~ violent*/nonstop/uncontrol*, trabaja/batall* para respirar, no respira, overdos*, cold/sud* sweat*/fri* & heart/taquicard*/rapido/palpit*/corazon/pounding, dificultad para respirar, apunal*, gasping, stop bleeding, \
bleeding/bleed to death, heart attack*, cuesta respirar, apenas logro/puede respirar, asthma attack, lost ~ of blood, blood! ~ gush*, gush* ~ blood!, lips ~ blue!/purple, demasiadas pastillas, tomo muchas pastillas, todas mis/las/sus pastillas, \
saddle/groin/entrepierna & numb*/dorm*/adorm*/duerm*/siento/feel!, fuga de gas, numb* between my, le/me va la vida ./ya/y, le/me volte*/durmi*/duerm*/jal* ~ cara!/boca!, fue ~ cara!/boca! ~ lado, cara!/boca! de lado, \
brazo izquierdo & hormigu*/dorm*/entum*/duele/dolor*/adorm*/duerm*, no puede/siente los/las/el/la/un/mover ~ lado/brazos/cuerpo/cara!/piernas, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, quemadura* ~ tercer/segundo/quimica*, \
turn*/went/going/gone blue!/purple, derrame cerebral, un derrame, no ~ dejo/paro/parar/puede ~ tembl*, no ~ puede respirar, getting/get enough air, hard to breathe, no ~ entra ~ aire!, falta de/el/la aire/respiracion, \
duerme/durmio/paralizo/dormida media/un cara/lado, paro respiratorio/cardiaco, ataque al corazon, ataque cardiaco, ataque ~ asma, convuls*, dando a luz, \
chest & stabb*/weight/squeez*/pressure/elephant/explod*/funny/heavi*/numb/strange/weird/crush*/pain*/hurt*/tight*/heavy!, fainted, unable/barely/struggl* to breath*, couldnt/isnt/not breath*, cant ~ breath*, barely breath*, cant get air, \
repente ~ confund*, blue lips, repente ~ no puede/ve!/veo, anaphyla*, blacked out, face/smile/mouth ~ crooked/droop*/numb/sagg*, cant smile, been/got/was/were shot!/stabbed, bebe ~ saliendo ., sale/saliendo el/la/mi bebe/cabeza, move one side, \
one side of my/his/her face/body is/feels/went, side ~ face/body ~ weak/droop*/numb/paraly*, no pulse, ambulanc*, couldnt/cant move/feel my/his/her/the baby/face/arms/legs/side/left/right, couldnt/cant wake my/him/her/them, am/im bleeding, \
bleeding out, took/take ~ too much/many ~ sleeping/drugs/tylenol/meds/medicine/medications/insulin, urgencia medica, havent/cant/not/dont feel/feeling/felt ~ baby mov*/kick*, baby ~ hasnt/isnt/not/stopped mov*/kick*, baby ~ mov*/kick* ~ less, \
no/less/decreased/reduced movement*/kicks ~ baby, pain* ~ into/to/down/through my/his/her arm/jaw, chestpain*, fue de lado, drank/ingested/swallowed/ate ~ pills/magnet*/batteries/antifreeze/chemical*/detergent/cleaner/bleach/battery, \
took/taken a lot of pills, took/taken all my/his/her/the pills, ${KIN} ~ into/swallowed/ate ~ pills/meds/medicine/medications, ${KIN} ~ wont/doesnt/isnt/not/stopped moving/waking/wake/respond*/responsive/breath*, severe/bad/chemical burns, \
heartattack, lost consciousness, by a snake/rattlesnake, choque alergico/anafil*, third degree burn*, severe bleeding, bleeding wont/doesnt/not stop, bleeding a lot, having a fit, having an allergic reaction, \
having/serious/severe/bad allergic reaction, allergic reaction ~ breath*/throat/swell*, having a miscarriage, throat ~ closed/closing, losing ~ blood, back/espalda & cant/lost/perdi/unable/puedo ~ bladder/pipi/urinate/orinar/pis!/pee!/vejiga, \
snake bit*, snakebite, perdiendo/perdio ~ sangre/conocimiento, arrastra* las palabras, hemorrhag*, is/im dying, cardiac arrest, worst headache/migraine ~ ever/life, into/in/de labor/parto, auxilio, \
quem* ~ mucho/aceite/manos/cuerpo/cara!/hirviendo/agua/grave/brazo, lips/throat/labios/tongue/lengua/garganta & cerr*/hinch*/swell*, move/lift ~ suddenly/sudden, suddenly/sudden ~ see/speak/talk/cant, \
cant see/speak/talk clearly/suddenly/properly/straight, coffee grounds, no siento ~ bebe, infarto, siento que me muero, enchuec*/tuerc*/torc*/chue* la boca/cara, epipen, seizure*, sobredosis, ataques epilept*, mordi* ~ vibora/culebra/serpiente, \
bebe ~ no ~ respirando/mov*/muev*, passed/passing out, about/going to faint/pass, thunderclap, feel/feeling/keeps/gonna faint/fainting, presion/opresion en el pecho, \
pecho! & ardor/dormido/apreton/oprime/elefante/apretado/aprieta/aplast*/duele/dolor*/punzada*/peso!, hablar enred*, no ~ puede hablar bien/claro, contraction*/contraccion*, no tiene pulso, dispar* ~ me!/le!/lo!, \
poniendo/pone/puso/labios morad*/azules/azul!, poison*, sangrando/sangra ~ mucha/parar/muchisimo, estoy sangrando, cara!/boca! & cayo/chueca/cae!/caida/paraliz*/dorm*/adorm*/torcid*, nearly/almost drowned, \
no le/me/para!/deja de/para!/deja/el/la ~ sangr*, sangr* ~ chorros, revento/rompio la fuente, ${PARIENTE} ~ no ~ responde/reacciona/despierta, no se despierta, no reacciona/despierta, reaccion alergica ~ respir*/fuerte/severa/grave, \
bebe ~ mueve ~ menos/poco, no ~ sentido/movido/mueve ~ bebe, inconsciente, ${PARIENTE} ~ tomo/comio mis/las ~ pastillas/medicina*, trago/tragado ~ pastillas/medicamento*/medicina*, \
trago/bebi/tragado/ingirio/tomo/comio ~ cloro/detergente/bateria*/pilas/lejia/veneno, envenena*, atragant*, massive/giant/huge clots!, passing ~ big!/large clots!, clots!/coagul* ~ tamano/enorm*/size/gigant*, monoxido de carbono, \
ech*/sal* ~ coagul* ~ grandes, gunshot, balazo, water broke, coagulotes, stroke, collapsed, carbon monoxide, colapso, espuma por, nunca ~ tanto ~ cabeza, peor dolor de cabeza, cabeza como nunca, ve la cabeza del, hemorragia, pregnan* ~ blood!, \
embaraz*/pregnan* & hemorr*/bleed*/sangr*, dizz*/lightheaded/mare* & bleed*/sangr*, choking, bleed* ~ badly/profusely/faint*/heavily/everywhere/nonstop/uncontrol*, traba la lengua, someone/alguien ~ gun/knife/pistola/cuchillo, \
panza/belly/abdom*/tummy/estomago/stomach/barriga/vientre & ${SEVERE} & ${FEVER}, ${SUDDEN} & ${HEAD} & ${SEVERE}, month/week old & ${FEVER}, ${SUDDEN}/${FEVER}/shak* & confus*/desorient*, see/feel ~ babys head, having the baby ./now/right, \
babys coming ./now/right/out/help, baby is coming ./now/right/out/help, scalded/burned!/burnt! ~ badly/face/body/boiling/hands/leg/oil/arm/skin/chemical*, unresponsive, \
${SUDDEN} & sight/numb*/weak*/debil*/blind/vista/ciega/vision/nubl*/blur*/borros*, vomi*/throw* ~ con/of/red/mucha ${BLOOD}, vomi*/escup*/arroj*/puk*/devolv* ${BLOOD}, slurr*, desangr*, cough*/throw* up ${BLOOD}, \
${BLOOD} in/en my/the/his/her/mi/el vomi*, bebe ~ mes/semanas ~ ${FEVER}, ${FEVER} ~ 104/105/106, recien/newborn ~ ${FEVER}, ${FEVER} & ${STIFF}, ${FEVER} & purple/petech*/morad*/bruis*/moreton*, foaming at, is giving birth, \
104/105/106 ~ ${FEVER}, ${FEVER} & ${SURGERY}, ${FEVER} of/de/a/is 40/41/42, 40/41/42 grados/de ${FEVER}/./de, ${FEVER} & punt*/dots/rash/spots/ronch*/sarpullido/manch* & desapare*/disappear/quit*/fade*, desmay*, de pronto ~ cabeza/borros*, \
words ~ garbled, bebe ya viene ./ayuda/ahora, ya viene el/la/mi bebe ./ayuda/ahora, ahogando/ahogo!`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const ABUSE = `battered, violencia intrafamiliar/domestica, partner/domestic abuse/violence, miedo a/de mi ${OTROS}, me pega!/pego!/golpeo/maltrata mi ${OTROS}, golpes de mi ${OTROS}, ${OTROS} me pega!/pego!/golpeo/maltrato, \
no ~ siento/estoy seguro con mi ${OTROS}, ${OTROS} me encierra/ahorco/cacheteo/empujo/pateo/amenazo, abuso de mi, miedo ~ volver/regresar ~ casa!, is/was/been/keeps choking/scaring/abusing/hitting/threatening/beating/hurting me, \
no ~ siento/estoy seguro ~ casa!, is/was abusive, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, abusive ${OTHERS}/marriage/relationship, \
${OTHERS} punched/choked/hits/beats!/strangles/slaps/threatened/pushes/shoves/slapped/kicks/abused/kicked/forces/threatens/beat!/hurts! me, afraid/scared to go home, afraid/scared of my ${OTHERS}, ${OTHERS} puts/laid his/her hands on me, \
not safe around/at home/him/her, not safe with him/her, dont feel safe around/at/with, unsafe at home`;
/** Another's threats, whose words would else be one's own. */
const THREATS = `${OTHERS} ~ will/going/gonna/wants ~ kill/shoot me!, amenaz* ~ matar*/muerte/pistola/cuchillo, novia/marido/esposa/pareja/ex!/papa ~ va/quiere/van ~ matar*`;
/** For which RAINN's line is there. */
const RAPE = `forced himself, oblig*/forc*/forz* ~ sex!/sexo/relaciones/seczo, abus*/agresion/ataque sexual*, sexual* abus*/asault*, molested, violaron/violada/rapped/raped/rape/violo/violacion!, abusaron de mi, makes/made me have sex`;
/** What has such words and isn't a danger. */
const CALM = `desaparecer los/la/el/las, todas mis pastillas/medicinas con/en/cada/por, saving/saved money, sangr*/bleed* ~ regla/period*/menstrua*, isnt an emergency, not an emergency, not/non emergency, heating pad, cut myself cooking/shaving/some, \
had a clots/blood, boca abierta, no es una emergencia, no es emergencia, take/taking/tomo ~ ## ~ pastillas/pills ~ dia/diarias/cada/day/daily/every, respond* a/al/to, be here all/long, hopeless at/with, \
take/taking all my pills/meds/medicines at/with/every/in/after/before, mas con mis/las/el/los sudores/bochornos/calores/sofocos/calor/insomnio, estar con mi medic*/doctor*, dying to, despiert*/despertar cansad*/temprano/en/descansad*/tan, \
goodbye to my old, hablar bien ingles/el/en, seizure medic*/doctor/refill*`;
/** The same, and what they name is looked for. */
const NAMED = `derrame ocular/pleural/en, irregular/light bleeding, wake/waking up in the night/middle, wake/waking up rested/tired/early/so/every/at/exhausted/too, contraction*/contraccion*/fainted/labor/parto ~ years/anos, fecha/plan de parto, \
labor and delivery, muscle contraction*, oigo/hear ${VOICES} ~ wall/pared is/es/y/and/., ^ tomo ## medicamento*/medicinas al/para/y/., cant hear ${VOICES}, hard to hear ${VOICES}, receta de, \
^ i/im take/taking ## medication*/medicines a/and/for/./daily/every, emergency contact/contraception/contraceptives/medicine, sangrado irregular/leve, ^ i/im take/taking ## different medication*, poison oak/ivy/sumac, dying of, stroke last year, \
stroke prevention/of/recovery/risk/survivor, heart attack prevention/risk/survivor, history of heart/stroke, of a stroke, of a heart attack`;

/** Who had clots comes for no bleeding. */
const PAST = "history/historial/antecedentes of/de clot*/coagul*, history of blood clot*, clots family history";
const MENO = `sangr*/bleed*/regla/period/bled!/spotting/manch* & despues/years/through/after/post/pase ~ menop*, posmenop* & bleed*/sangr*/spotting/manch*`;
/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `coughing/peeing/pooping blood, blood from/in/on/when my/the/poop/stool/semen/i/urine/pee, sangre al orinar/defecar/toser, sangre al/por/en mi/la/el/orinar/defecar/nariz papel/orina/nariz/popo/excremento/heces/taza/recto/., \
tirando/con/sale/salida/hay/orino sangre, mucha sangre, much of blood, hemorrhag*/bled!/clot!/spotting/manchando/clots!/coagulos/bleed*/sangra*/sangro!`;

/** What was already taken can't wait for a talk. */
const OVERDOSE = `${DOSES}, ${SWALLOWED}/overdosed ~ all!/them!/these!/whole/bottle/handful/pills/todas/todo!/frasco/pastillas, ${SWALLOWED} ~ # ~ ${PILLS}, overdosed`;
const UNDONE = new Set("if almost wish si casi".split(" "));

/** The National Domestic Violence Hotline. */
export const ABUSED = "1-800-799-7233";

/** RAINN, the National Sexual Assault Hotline. */
export const RAPED = "1-800-656-4673";
/** Someone else may be hurt. */
export const HARM = "harm";
/** After menopause, bleeding should be checked soon. */
export const MENOPAUSE = "menopause";

/** An overdose: poison help, and 988 after 911. */
export const OVERDOSED = "taken";
/** A cry for help that doesn't say of what. */
export const HELP = "help";
/** What may be one: the search goes on beside it. */
export const MAYBE = "maybe";

/** What & stands between may stand in any order. */
const orders = (all) => all.length < 2 ? all : all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => `${one} ~ ${rest}`));
/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").flatMap((phrase) => orders(phrase.split(" & "))).map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[OVERDOSED, phrases(OVERDOSE)], [ABUSED, phrases(THREATS)], [undefined, phrases(PAST)], [MENOPAUSE, phrases(MENO)], [MAYBE, phrases(BLEEDING)], [false, phrases(CALM)], [undefined, phrases(NAMED)], [HARM, phrases(HARM_ROWS)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [HELP, phrases(CRY)], [RAPED, phrases(RAPE)], [ABUSED, phrases(ABUSE)], [BESIDE, phrases(BESIDE)]];

const LEAST_NEAR = 4;
/** Alone, shorter words are too much like others: "choking" is no "cooking". */
const LEAST_NEAR_ALONE = 8;
const STARTS = ["suicid", "emergenc"];
const STRICT_STARTS = ["overdos"];

const A_FEW = /^(?:[3-9]|\d\d+|three|four|five|six|seven|eight|nine|tres|cuatro|cinco|seis|siete|ocho|nueve)$/;
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
  if (words[0][0] === "#") return token && (LOTS.test(token.word) || (words[0] === "#" && A_FEW.test(token.word))) && !UNIT.test(tokens[at + 1]?.word) ? endOf(rest, tokens, at + 1) : undefined;
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
        if (number === OVERDOSED) {
          if (!line.tokens.slice(Math.max(0, at - 2), at).some(({ word }) => UNDONE.has(word))) numbers.add(number);
          continue;
        }
        if (number === undefined) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        else if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        else if (number === MAYBE || number === MENOPAUSE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else line.take(at, end - at);
        if (number === ABUSED) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        if (number) numbers.add(number);
      }
    }
  }
  if (numbers.has(OVERDOSED) && (numbers.has("988") || numbers.has("911"))) return OVERDOSED;
  return [HARM, "988", "911", RAPED, ABUSED, HELP, MENOPAUSE, MAYBE].find((number) => numbers.has(number)) ?? false;
};
