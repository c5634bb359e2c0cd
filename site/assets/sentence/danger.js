// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicina/medication*/medicamento*/painkiller*/tylenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, ## ten or more, and ### 300 or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `ending things, end/ending everything, not worth living, tired/done of/with life/living/everything/existing, to end myself/things, it/everything to end, wish/want this/it/everything to be over/done ., it all to be over, \
end/ending it all, need/urge to cut ., want/need out ., point in/of/to continuing/anything/existing/living/life, way out of this/life, keep existing/living, life is not worth, life isnt worth, life has no, point ./anymore/anyway, \
cant take it/this/life anymore/any, to end it/this ./now/tonight/soon/today, cant keep doing this/it, do/doing it/this/life anymore, dont wanna live, dont/doesnt deserve to live, dont/doesnt/not want/wanna to live/exist, \
dont/doesnt/not want to be alive/here, wish i was/were dead, do/doing something ~ to myself, something i wont/cant undo/take, end/ending/taking/take my/his/her/own life, take my/his/her own life, \
kill/hurt/hurting/harm/harming/starving/burning/killing/starve/cut/cutting/hang/hate/burn!/shoot/punish ${SELF}, unalive, cut/cutting my/his/her arms!/wrist, feel/feeling like dying, tired of trying/fighting/struggling ., \
point in/of carrying/going on ., cant keep/carry on/going/trying/fighting this/anymore/like/., cant live like this, dont care anymore ., cant go on much/anymore/like/./with/without/living, \
life is/feels over/empty/pointless/meaningless, nothing ~ live for, nothing ~ matters ./now/anymore, dont need me ., i dont matter, i would/should/could disappear, shouldnt/cant be alone now/./with/right/tonight my, trust myself, \
safe around/alone/from/by/with/being ~ myself/thoughts, keep myself safe, tired of being alive/anymore, might/could do to myself, of what i might/may/will/would/could, \
better/happier/easier if/without/off ~ me/gone/dead/died/disappeared, better/happier/off without us/him/her, quiere matar, queria/prefiero/preferiria/quiere morir*, voy/va a matar, pienso/pensar/pensando en morir*/matar*, \
vivir o morir, quitar/quitarse la vida, me/se quito la vida, sentido a/en la/mi vida, sin sentido ./vivir/seguir, hate/odio my/mi vida/life, pensamientos/ideas ~ negr*/malos/feos/oscur*, vida ~ ni/no/tiene sentido, \
nada ~ tiene sentido, sentido a/en seguir/todo/esto/vivir/nada, que sentido tiene ya/nada/todo/./vivir/seguir, hay/tiene caso ./vivir/seguir/ya/nada, matarme, pena vivir, no vale la pena ./ya/nada, \
la pena continuar/seguir ./asi/vivi*/aqui/adelante/luchando, para que sigo/seguir ./asi/viv*/aqui, no valgo nada, quisiera que amaneciera, no hubiera/haya manana ., no amaneciera/amanezca/amanecer ./manana, vida no vale, \
nada vale la pena, sin mi! serian/estarian/vivirian, ojala me muriera/muera, no quiere vivir, no merezco vivir, ni de vivir, ya no quiere/quisiera estar/vivir/despertar, dormir* ~ no despertar, otra vez ~ cortando, me sigo cortando, \
ando/estado/estoy/esta cortando otra/mucho/./de/nuevo, cortarme/autolesion*/lastimarme, cortando los/las/mis venas/munecas/brazos/piernas, me/se/te cortan/corte los/las venas/munecas/brazos/piernas, just cant anymore, miss! me, \
tirarme/arrojarme/lanzarme/aventarme de/a/desde/al/del, me rindo, mejor ~ no despert*, no quiero despertar, estar/mejor muert*, no quiero estar viv*, no quiero/quisiera estar aqui, noose, dont/doesnt want to go on, \
me da igual si vivo/muero, por/para que vivo/vivir, ya me canse ., todos ~ cansad*/hart* de mi, cansad*/canse/hart*/aburrid* de existir/vivir/sufrir/todo/luchar, dejar de existir/vivir/respirar, dejar de sufrir ., in heaven, \
cansad*/canse/hart*/aburrid* de la/mi/esta vida, en la muerte, miedo a/de mi misma, quiero/quisiera/prefiero/gustaria no despert*, confio en mi misma, if i was/were gone/dead, feel trapped, no reason/purpose ~ to stay/continue/live, \
no reason to go/keep/be alive/here/on/going/living, will to go/fight/live, wish/want to disappear, disappear forever, pain to go/end/stop ./forever, want/wanna to be dead, doesnt/not/dont care if i/he/she die/live, \
just/i/he/she/wanna disappear, front of the/a train/truck/bus, just/i/like/to give/giving up ., gave/given/giving up hope/on life/living/everything/., wanna die, rather die, rather not wake, rather not/be dead/exist, \
dont/doesnt/not want/wanna ~ wake up, danger for/to myself, wake up again/anymore, letters/notes for/to my/each/the/all, bridge ~ jump*, no hope ./for/anymore/left, have ~ nothing left ., cant cope ./anymore, \
thinking/think/thought about/of dying/death, care about anything ./anymore, about/of ending it, about/of/and jumping off/., jump/jumping off/from the/a bridge/balcony/cliff/roof/building/window, go/fall to/asleep ~ never/not wake, \
a burden on/to/and/for/., it all to end/stop, wish i could die, to/and/ill/would/could never wake up, would miss/notice/care if i/me, goodbye letter/note/./video/message, goodbye family/everyone/all/world/cruel/forever, \
pain to end/stop for good, if i died/disappeared, been/am/im/started/keep cutting again/., wants/going/wanting/wanted/wanna to die, ready to die, goodbyes to/., i/ive got/have ~ pills/meds ready, pills ~ in my hand, \
end/ending my pain/suffering, feel/feeling/felt/totally/completely/am/is/im/so hopeless/worthless, nunca/no hubiera/hubiese/haber nacido, already wrote/written my/the/a letter/note, no/other/only/any/a way out for/./but/anymore, \
make it/the pain/voices/stop, wish i ~ never/not/didnt ~ born/alive/existed/exist, not waking up tomorrow, tomorrow doesnt/never came, be a tomorrow, to see tomorrow ., see any/a way forward, no future ./for/anymore, \
see/have ~ my/any/a future ./for/anymore, everyone/theyre ~ sick/tired of me, thinking/think/thought/might/planning/want/going/gonna/tempted/could ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, \
collecting/saving/saved/hoard*/stash*/stockpil* ~ pills/meds, me lastimo!/corto!/golpeo! ./cuando/a/mucho/para, felices/mejor sin mi!, fuerza/razon/razones/motivo para continuar/vivir/seguir, hacerme dano/algo, lost all hope, \
quiere/quiso hacer dano/algo, ahorcarme, perdonenme, peligro para mi!, dispararme, only/hope/pray/wish i ~ never/not/didnt/wouldnt/wont/dont wake, a nadie le importo!, perdi ~ esperanza*, sin/ninguna/hay esperanza*, \
sin/ninguna/las/tengo/perdi ganas de existir/vivir/seguir, suicid*, no quiero amanecer ./manana, ver el manana, ganas de morir*, volvi a cortar*, acumul*/juntando!/guarde!/juntado!/guardado/escond*/junte!/guardadas ~ pastillas, \
tomarme/tomarmelas/tragarme ~ todas, tomar* ~ todas ~ pastillas, tengo ~ pastillas ~ listas/mano!/guardadas, tengo ~ list* ~ pastillas, why am i even/still alive/here, gun ~ loaded, no le importo! a, si me muriera/muera, \
no despert* nunca/jamas, en el cielo, mantenerme segur* hoy/esta/., not/wont be here/alive/around much/anymore/longer, if i wasnt/werent here/alive/around, wish i wasnt/never/hadnt/werent here/born/alive/been, nada ~ importa ./ya, \
dormir*/descansar/dolor/sufrimiento/irme para siempre, me quiero cortar los/las/mis/., carga para los/mi/ellos/todos, como/ser/siento/soy/es una carga, me da igual morir/vivir, ya no aguanto/soporto esto/vivir/nada, \
mejor sin el!/ella! ., no aguanto/soporto vivir/la/mi/esta vida, end of my rope, no aguanto ./mas, cometer/hacer una/alguna estupidez/tonteria/locura, si yo no estuviera/existiera, si no estuviera/existiera/despertara, \
no puedo/doy mas, why bother anymore/living/., no one/nobody would ~ notice/care if, nadie ~ echa* de menos, 988, ya escribi ~ nota/carta, salvo/solas/seguro conmigo, a salvo sol*, todo se acabo, ya se acabo todo, quiero lastimar*, \
no quiero existir, why am i alive/here, hijo se corta, no soporto mas, con esta vida, adios a todos, nadie me quiere/necesita, no sirvo para nada, que esto ~ termine/acabe ., importa nada ./ya/nadie/ni, no puedo con la/mi vida, \
despidiendo/despido!/despedi!/despedir* ~ de ~ mis/todos/familia/hijos/vida, adios a mis/la/mi familia/hijos/vida, nota/carta/video/mensaje de adios/despedida, adios mundo/cruel/mama/todos/familia/vida, de este mundo, \
perdonen!/perdon!/perdoname por todo, self injur*/destruct*/harm*, no quiero/puedo seguir ./asi/viviendo/aqui/adelante/luchando/mas, am/im/so done ., me da igual todo ./ya/lo, mantener* ~ salvo, me odio, todo! le/me da igual/lo, kms, \
que todo ~ termine/acabe/terminara/pare/acabara, acabar/terminar con todo, acabar/terminar con su/mi vida/sufrimiento, queda/veo/hay/encuentro mas/ninguna/otra/una/la salida, sin salida, veo/hay/encuentro salida, \
veo/hay/encuentro/tengo futuro, quien/nadie ~ extranar*/extrana!, fio de mi, miedo ~ lo que haga, will/would anyone ~ notice/care if/., me van/va a extranar!, talk to/with someone/anyone ~ not ok, not ok ~ talk to/with someone/anyone, \
do/doing something dumb/desperate/stupid/drastic/rash/terrible/bad/reckless/crazy/awful, not doing well/ok ~ someone, regalado/regalar/regale ~ mis ~ cosas, me/se hago/hace dano ./cuando/a/mucho/yo, \
quemo!/corto!/dano/pego!/golpeo ~ a mi misma, terrible/bad/scary/horrible/darkest/dark thoughts, give/giving ~ belongings/stuff/things, ojala ~ no despert*, no escape, through/survive the night/tonight, \
miedo ~ lo que pueda/podria/voy/vaya ~ hacer*, no/me/estoy/siento estoy/siento/muy bien/mal ~ hablar con alguien, gonna end it, want/wanna/going/gonna/thinking/voy/quiero ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, \
hablar con alguien ~ no/me/estoy/siento estoy/siento/muy bien/mal, una/es ultima/mi despedida, ojala/quisiera/quiero desaparecer, if i swallowed/took them/these/all, take/taking/swallow/swallowing/took them/these all, estorbo!`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
const CHILD = "baby/babies/newborn/infant/child/children/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiancee/dad/he!/she!/they!";
const OTROS = "esposa/marido/pareja/novia/ex/papa/el!/ella!";
const VOICES = "voices/voces";
const PEOPLE = "someone/people/alguien/gente";
const VICTIM = `${KIN}/neighbor*/boss/coworker/roommate/ex!/him!/her!/them!`;
const VICTIMA = `${PARIENTE}/vecin*/jefe/suegr*`;
/** What may end with someone else hurt: 911, and 988 to talk. */
const HARM_ROWS = `want/wanna/going/gonna/thinking/feel/thoughts/afraid/scared/urge ~ kill/hurt/hurting/harm/harming/smother*/killing/shaking/strangl*/suffocat*/hitting/throwing/drown*/shake! ~ ${CHILD}/${PEOPLE}, lo/la/los/las quiero matar, \
pienso/miedo/quisiera/quiero/ganas/podria/voy/pensamientos/ideas ~ lastim*/dano/pegar*/ahogar*/asfixi*/danar*/golpear*/sacudir*/matar* ~ ${CHILD}/${PEOPLE}, lo/la/los/las voy/vamos a matar, \
pienso/voy/vamos/quiero/ganas ~ lastim*/danar*/apunal*/matar* a/al ~ ${VICTIMA}, kill/hurt someone, a/quiero matarl*, to/gonna/wanna/about/of/like kill/killing/stab!/shoot!/murder/hurt!/hurting my/the/our ${VICTIM}, \
i/ive burned/choked/hit!/hurt/shook my/the ${CHILD}, i might/may/will/would/could/almost drown/harm/kill/hurt/smother/shake! ~ ${CHILD}/${VICTIM}, afraid/scared ill hurt him!/her!/them!, \
to/gonna/wanna/about/will kill/killing/stab!/shoot!/murder him!/her!/them!/${PEOPLE}, oigo/hearing/here/escuch*/heard ${VOICES}, homicid*, ${VOICES} ~ kill/dice*/mand*/telling/told!/orden*/tells/tell!/head!/cabeza`;
/** Alone they are a cry, and "help me sleep" is none. */
const CRY = `911, am/im not ok $, no estoy bien $, ^ ayud*/por favor/por favor/ayud* $, ^ help!/sos/ayuda/ayudenme/socorro $, ^ help! us/me/please/pls now/./please, ^ please/pls/someone help! us/me ./please, ^ someone please help me ., in crisis, \
^ please/pls/someone help! $, ^ i need help! now/., ^ need help! ., ^ necesito ayuda ./ya/urgente/ahora, en crisis, emergenc*`;
const SWALLOWED = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swell*/hinch*";
const HOT = "hot!/warm!/red!/caliente/roja";
const SURGERY = "surgery/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const FEVER = "fever/feverish/chills/temperature/temp/fiebre/calentura/escalofrio*";
const STIFF = "stiff/rigid*/tieso";
const BELLY = "estomago/stomach/belly/tummy/abdom*/panza/barriga/vientre";
const SUDDEN = "suddenly/sudden/repente/repentin*/subit*/golpe";
const SEVERE = "severe/terribl*/horribl*/sharp/explot*/estall*/worst/fuerte/bad/intens*/awful/excruciating/unbearabl*/insoportabl*/much*/peor";
const HEAD = "headache/migraine/head!/cabeza";
const LIMB = "legs/calf/arm/thigh/pierna/pantorrilla/brazo";
const PAIN = "pain*/hurt*/sore!/ach*/tender/dol*/duel*/adol*";
const BLOOD = "blood/sangre";
const NUMB = "numb*/weak*/tingl*/adorm*/entum*/dorm*/hormig*";
const STOOL = "stool*/poop*/popo/heces/caca/excremento/evacua*";
const SUGAR = "sugar*/glucose/azucar/glucosa";
const VOMIT = "vomi*/throwing/threw/puk*/devolv*/arroj*/basca";
/** A wrong or a double dose, for which Poison Help is there. */
const WRONG = "double/twice/doble/extra/wrong/equivocad*/demasiad*/much/two/dos";
const DOSE = `${PILLS}/dose/dosis/jarabe`;
const DOSES = `${SWALLOWED} ~ ${WRONG} ~ ${DOSE}, gave/got/di!/dimos/tomo! & ${CHILD}/him!/her!/le! & ${WRONG} & ${DOSE}`;
const EMERGENCY = `half of my/his/her face, pain* ~ into/down/to/through my/his/her arm/jaw, take/taking/tomo/tomar* ~ ## ~ ${PILLS}, had! ## ${PILLS}, ${SWALLOWED} ~ # ~ ${PILLS}, ${DOSES}, ${SWALLOWED} ~ bottle/frasco, chestpain*, unconscious, \
^ ## ${PILLS} last/and/./de/y/at/anoche/ago/hace, me/se tomo ~ # ~ ${PILLS}, ${LIMB} & ${SWOLLEN} & ${PAIN}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, ${HOT} ~ ${SWOLLEN} ${LIMB}, ${SWOLLEN} ${HOT} ${LIMB}, \
${SWOLLEN} ~ ${HOT} ./but/and/con/to/too/also/with/right/since/desde/al/y/e, left/right/sola/una/izquierda/derecha/one leg/calf/pierna ~ ${SWOLLEN}, pierna izquierda/derecha ~ hinch*, no logro/puedo/podemos despertar*, blood! ~ gush*, \
gush* ~ blood!, hemorragia, bleeding wont/doesnt/not stop, ${SWOLLEN} ~ clot*/coagul*, heart stopped/stopping, trombo*/clot*/coagul* in/en my/the/his/her/mi/el/la/una ${LIMB}/lung*/cerebro/pulmon*/brain, tomo ~ demasiad*/frasco, \
estoy/esta muriendo, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, couldnt/cant/wont/doesnt/not stop trembling/shaking/twitching/shivering, full/whole/entire bottle, shortness/short of breath, stopped breathing, \
difficulty/trouble breathing, shiver*/trembl*/shak* ~ violent*/nonstop/uncontrol*, heart attack*, cold/sud* fri*/sweat* & heart/taquicard*/palpit*/corazon/rapido/pounding, dificultad para respirar, apunal*, stop bleeding, \
bleeding/bleed to death, numb* between my, is giving birth, cuesta respirar, apenas logro/puede respirar, asthma attack, lost ~ of blood, saddle/groin/entrepierna & numb*/dorm*/adorm*/duerm*/siento/feel!, \
left arm & numb*/weak/ach*/pain*/hurt*/ting*/heavy, chest & stabb*/weight/pressure/elephant/explod*/funny/heavi*/numb/strange/squeez*/weird/crush*/pain*/hurt*/tight*/heavy!, le/me va la vida ./ya/y, \
le/me volte*/durmi*/jal*/duerm* ~ cara!/boca!, fue ~ cara!/boca! ~ lado, anaphyla*, cara!/boca! de lado, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, ataques epilept*, \
no puede/siente los/las/el/la/un/mover ~ lado/cara!/brazos/piernas/cuerpo, brazo izquierdo & entum*/hormigu*/duele/dolor*/dorm*/adorm*/duerm*, fue de lado, duerme/durmio/paralizo/dormida media/un lado/cara, \
someone/alguien ~ gun/knife/pistola/cuchillo, derrame cerebral, un derrame, quem* ~ mucho/hirviendo/aceite/cara!/brazo/manos/cuerpo/agua/grave, no ~ dejo/parar/puede/paro ~ tembl*, no ~ puede respirar, getting/get enough air, \
hard to breathe, no ~ entra ~ aire!, falta el/la/de respiracion/aire, collapsed, bebi/trago/tragado/ingirio/tomo/comio ~ cloro/pilas/bateria*/detergente/lejia/veneno, ataque ~ asma, paro respiratorio/cardiaco, ataque cardiaco, \
struggl*/unable/barely to breath*, couldnt/isnt/not breath*, cant get air, barely breath*, repente ~ confund*, repente ~ no puede/ve!/veo, blacked out, face/smile/mouth ~ crooked/droop*/numb/sagg*, cant smile, fainted, \
been/got/was/were shot!/stabbed, bebe ~ saliendo ., water broke, lips ~ blue!/purple, blue lips, gasping, turn*/went/going/gone blue!/purple, one side of my/his/her face/body is/feels/went, side ~ face/body ~ droop*/numb/paraly*/weak, \
couldnt/cant move/feel my/his/her/the baby/arms/legs/side/face/left/right, couldnt/cant wake my/him/her/them, envenena*, having the baby ./now/right, dando a luz, gunshot, am/im bleeding, bleeding out, face fell, \
cant/havent/not/dont feel/feeling/felt ~ baby mov*/kick*, baby ~ hasnt/isnt/not/stopped mov*/kick*, baby ~ mov*/kick* ~ less, less/no/decreased/reduced movement*/kicks ~ baby, passed/passing out, \
drank/ingested/swallowed/ate ~ pills/antifreeze/chemical*/bleach/magnet*/cleaner/battery/batteries/detergent, no pulse, quemadura* ~ tercer/segundo/quimica*, took/taken a lot of pills, took/taken all my/his/her/the pills, \
took/take ~ too much/many ~ drugs/tylenol/sleeping/meds/medicine/medications/insulin, ${KIN} ~ into/swallowed/ate ~ pills/meds/medicine/medications, hemorrhag*, heartattack, lost consciousness, \
back/espalda & cant/lost/puedo/perdi/unable ~ bladder/pipi/urinate/orinar/pis!/pee!/vejiga, snake bit*, cant ~ breath*, severe bleeding, bleeding a lot, having an allergic reaction, about/going to faint/pass, losing ~ blood, \
by a snake/rattlesnake, allergic reaction ~ breath*/swell*/throat, having/severe/serious/bad allergic reaction, worst headache/migraine ~ ever/life, is/im dying, throat ~ closed/closing, sale/saliendo el/la/mi bebe/cabeza, \
no ~ sentido/movido/mueve ~ bebe, bebe ~ mueve ~ menos/poco, perdiendo/perdio ~ sangre/conocimiento, tuerc*/enchuec*/torc*/chue* la boca/cara, sobredosis, lips/throat/labios/tongue/lengua/garganta & cerr*/hinch*/swell*, \
passing ~ big!/large clots!, choque alergico/anafil*, move one side, move/lift ~ suddenly/sudden, suddenly/sudden ~ see/speak/talk/cant, cant see/speak/talk suddenly/straight/properly/clearly, choking, seizure*, \
mordi* ~ vibora/serpiente, feel/feeling/gonna/keeps faint/fainting, see/feel ~ babys head, pecho! & ardor/apreton/oprime/elefante/punzada*/dormido/apretado/aprieta/aplast*/duele/dolor*/peso!, peor dolor de cabeza, no respira, \
bebe ~ no ~ respirando/mov*/muev*, no ~ puede hablar bien/claro, contraction*/contraccion*, no tiene pulso, convuls*, heart & racing/pounding & skip*/chest, ambulanc*, poniendo/puso/labios/pone azules/morad*/azul!, \
dispar* ~ me!/lo!/le!, poison*, siento que me muero, hablar enred*, sangrando/sangra ~ mucha/parar/muchisimo, coffee grounds, estoy sangrando, cara!/boca! & caida/cayo/cae!/chueca/paraliz*/dorm*/adorm*/torcid*, nearly/almost drowned, \
no le/me/para!/deja para!/de/deja/el/la ~ sangr*, sangr* ~ chorros, urgencia medica, not conscious, ${PARIENTE} ~ no ~ responde/reacciona/despierta, no reacciona/despierta, no se despierta, no siento ~ bebe, \
reaccion alergica ~ respir*/fuerte/severa/grave, asfixi*, ${PARIENTE} ~ tomo/comio mis/las ~ pastillas/medicina*, todas mis/sus/las pastillas, tomo muchas pastillas, trago/tragado ~ pastillas/medicina*/medicamento*, \
demasiadas pastillas, arrastra* las palabras, atragant*, desangr*, massive/giant/huge clots!, clots!/coagul* ~ tamano/enorm*/size/gigant*, ech*/sal* ~ coagul* ~ grandes, auxilio, carbon monoxide, monoxido de carbono, \
nunca ~ tanto ~ cabeza, cabeza como nunca, ${KIN} ~ wont/doesnt/isnt/not/stopped moving/waking/wake/breath*/respond*/responsive, cardiac arrest, pregnan* ~ blood!, an/cada/por/every hour!/hora! ~ pad/pads!/tampon*/toalla, \
bleed* ~ badly/heavily/everywhere/faint*/nonstop/uncontrol*, dizz*/lightheaded/mare* & bleed*/sangr*, missed period & sharp/dizz*, pregnan*/embaraz* & bleed*/hemorr*/sangr*/${HEAD}/${SWOLLEN}/pres*/vision/spots/luces, \
scalded/burned!/burnt! ~ skin/arm/face/body/boiling/badly/hands/leg/oil/chemical*, ${BELLY} & ${SEVERE} & ${FEVER}, ${SUDDEN} & ${HEAD} & ${SEVERE}, pregnan*/embaraz* & ${BELLY} & ${SEVERE}, month/week old & ${FEVER}, \
${SUDDEN}/${FEVER}/shak* & confus*/desorient*, babys coming ./now/right/out/help, coagulotes, unresponsive, ${SUDDEN} & sight/numb*/weak*/debil*/blind/ciega/vista/blur*/vision/borros*, vomi*/puk*/devolv*/arroj*/escup* ${BLOOD}, \
stroke, overdos*, vomi*/throw* ~ con/of/red/mucha ${BLOOD}, slurr*, cough*/throw* up ${BLOOD}, inconsciente, ${BLOOD} in/en my/the/his/her/mi/el vomi*, bebe ~ mes/semanas ~ ${FEVER}, ${FEVER} & ${STIFF}, \
${FEVER} & purple/petech*/morad*/bruis*/moreton*, rompio/revento la fuente, 40/41/42 grados/de ${FEVER}/de/., ${FEVER} & punt*/spots/dots/rash/ronch*/sarpullido/manch* & desapare*/fade*/disappear/quit*, de pronto ~ cabeza/borros*, \
foaming at, 104/105/106 ~ ${FEVER}, ${FEVER} & ${SURGERY}, ${FEVER} ~ 104/105/106, baby is coming ./now/right/out/help, recien/newborn ~ ${FEVER}, ${FEVER} a/of/de/is 40/41/42, presion/opresion en el pecho, third degree burn*, \
desmay*, arde/burn* & orinar/pee* & ${FEVER} & back/espalda, espuma por, bebe ya viene ./ayuda/ahora, ya viene el/la/mi bebe ./ayuda/ahora, faint/fainting & heart/palpit*/corazon, ataque al corazon, in/de/into labor/parto, \
ve la cabeza del, infarto, corazon ~ a mil, corazon ~ salir, balazo, fell!/cayo/cai! & talk*/speak/hablar & cant/weird/puede/funny/raro, double & talk*/speech, traba la lengua, hablo/habla! raro, \
trabaja/batall* para respirar, ahogando/ahogo!, heart ~ racing/pounding/beating ~ wont/cant/doesnt/not/hasnt ~ stop/stopped/slow ./down/and/now/for, heart ~ wont/cant/doesnt/not/hasnt stop racing/pounding, \
corazon ~ rapid*/aceler* ~ no para!/baja, corazon ~ rapid*/aceler* ~ no se ~ calma/quita/detiene/baja, corazon ~ no deja/para! de ~ rapid*/aceler*, ${STOOL} & tarry/tar!/alquitran/chapopote, ${SUGAR} & ### & ${VOMIT}, \
preeclamps*, preclamps*, eclamps*, arm/arms/brazo/mano & ${NUMB} & face/speech/cara!/boca!/habla!, arm/arms/brazo/mano & ${NUMB} & cant/couldnt/trouble/difficulty/puedo/cuesta speak*/talk*/hablar, creo/siento que me ~ morir ./ya/hoy/ahora/ayud*, ^ me voy a morir ./ya/hoy/ahora/ayud*`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const ABUSE = `battered, violencia domestica, partner/domestic abuse/violence, miedo a/de mi ${OTROS}, me pega!/pego!/golpeo/maltrata mi ${OTROS}, golpes de mi ${OTROS}, ${OTROS} me pega!/pego!/golpeo/maltrato, \
no ~ siento/estoy seguro con mi ${OTROS}, ${OTROS} me encierra/empujo/pateo/ahorco/cacheteo/amenazo, abuso de mi, miedo ~ volver/regresar ~ casa!, is/was/been/keeps choking/scaring/beating/hitting/threatening/abusing/hurting me, \
no ~ siento/estoy seguro ~ casa!, is/was abusive, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, ${OTHERS} puts/laid his/her hands on me, \
${OTHERS} punched/choked/hits/beat!/strangles/slaps/threatened/pushes/shoves/slapped/kicks/beats!/abused/kicked/forces/threatens/hurts! me, dont feel safe around/at/with, afraid/scared of my ${OTHERS}, afraid/scared to go home, \
not safe around/at home/him/her, unsafe at home, not safe with him/her, abusive ${OTHERS}/marriage/relationship`;
/** Another's threats, whose words would else be one's own. */
const THREATS = `${OTHERS} ~ will/going/gonna/wants ~ kill/shoot me!, amenaz* ~ matar*/muerte/pistola/cuchillo, novia/marido/esposa/pareja/ex!/papa ~ va/quiere/van ~ matar*`;
/** What RAINN's hotline helps with. */
const RAPE = `forced himself, oblig*/forc*/forz* ~ sex!/sexo/relaciones/seczo, abus*/agresion/ataque sexual*, molested, sexual* abus*/asault*, violaron/rapped/violacion!/raped/violada/rape/violo, abusaron de mi, \
makes/made me have sex`;
/** What has such words and isn't a danger. */
const CALM = `hopeless at/with, desaparecer el/la/los/las, cut myself shaving/cooking/some, not/non emergency, take/taking/tomo ~ ## ~ pills/pastillas ~ dia/diarias/cada/day/daily/every, goodbye to my old, isnt an emergency, had a clots/blood, \
boca abierta, no es una emergencia, no es emergencia, not an emergency, saving/saved money, take/taking all my pills/meds/medicines at/with/every/in/after/before, dying to, estar con mi medic*/doctor*, \
be here all/long, hablar bien ingles/el/en, heating pad, despiert*/despertar cansad*/temprano/en/descansad*/tan, respond* a/to/al, seizure medic*/doctor/refill*, \
sangr*/bleed* ~ regla/period*/menstrua*, todas mis pastillas/medicinas con/cada/por/en`;
/** The same, and what they name is looked for. */
const NAMED = `mas con mis/las/el/los bochornos/calores/sudores/sofocos/calor/insomnio, ^ tomo ## medicamento*/medicinas ./al/y/para, no puedo/doy mas pronto/los/temprano/tarde/a, no puedo mas de ~ minuto*/hora*, no puedo mas que el/en/por/a/los/la, oigo/hear ${VOICES} ~ wall/pared is/y/es/and/., \
derrame en/pleural/ocular, irregular/light bleeding, wake/waking up every/rested/tired/early/at/exhausted/so/too, wake/waking up in the night/middle, contraction*/contraccion*/fainted/labor/parto ~ years/anos, muscle contraction*, \
emergency contact/contraception/contraceptives/medicine, dying of, of a heart attack, hard to hear ${VOICES}, ^ i/im take/taking ## medication*/medicines a/and/for/./daily/every, labor and delivery, cant hear ${VOICES}, \
^ i/im take/taking ## different medication*, of a stroke, stroke last year, sangrado irregular/leve, history of heart/stroke, stroke prevention/of/recovery/risk/survivor, poison ivy/oak/sumac, heart attack prevention/risk/survivor, \
receta de, fecha/plan de parto`;

/** People with a history of blood clots aren't bleeding. */
const PAST = "history/historial/antecedentes/had!/tuve/after/despues ~ preeclamp*/eclamps*, preeclamp* ~ ago/last/hace, history/historial/antecedentes of/de clot*/coagul*, history of blood clot*, clots family history";
const MENO = `bulto*/bolita*/bola/lump* & seno*/teta*/boob*/mama!/pecho/breast*/nipple*/pezon, sangr*/blood* & nipple*/pezon*, sangr*/bleed*/regla/period/bled!/spotting/manch* & despues/post/pase/through/years/after ~ menop*, \
sangr*/bleed*/spotting/manch* & years/anos & sin/without/last/ultim* regla/period*/menstrua*, posmenop* & sangr*/bleed*/spotting/manch*, \
period*/regla/menstrua* & back/returned/again/volvi*/regres*/bajo ~ year/years/ano/anos ~ no/without/sin, year/years/ano/anos ~ no/without/sin ~ period*/regla/menstrua* ~ back/returned/again/volvi*/regres*, no/without/sin period*/regla/menstrua* ~ years/anos ~ back/returned/volvi*/regres*`;
/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `coughing/peeing/pooping blood, pregnan*/embaraz* & cramp*/colic*, blood when/on/from/in my/the/stool/pee/poop/semen/i/urine, sangre al orinar/defecar/toser, sangre al/en/por mi/las/el/la/orinar/defecar/nariz/hacer orina/popo/caca/papel/recto/nariz/heces/taza/., \
mucha sangre, much of blood, hay/con/tirando/sale/salida/orino sangre, bled!/spotting/manchando/hemorrhag*/clots!/coagulos/bleed*/sangra*/clot!/sangro!, black/negr* & ${STOOL}`;

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
const HIGH = /^(?:[3-9]\d\d|\d{4})$/;
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
  if (words[0] === "###") return token && HIGH.test(token.word) ? endOf(rest, tokens, at + 1) : undefined;
  if (words[0][0] === "#") return token && (LOTS.test(token.word) || (words[0] === "#" && A_FEW.test(token.word))) && !UNIT.test(tokens[at + 1]?.word) ? endOf(rest, tokens, at + 1) : undefined;
  if (words.includes(".") && (!token || token.isMark)) return endOf(rest, tokens, at);
  const isHere = token && !token.isMark && words.some((known) => isSaid(token.word, known, isAlone));
  return isHere ? endOf(rest, tokens, at + 1) : undefined;
};

/** "No chest pain or trouble breathing": what is denied. Other rows begin with "no" themselves. */
const DENIED = /(?:^| )(?:no|without|sin|(?:dont|not) have)(?: any| me| tengo| hay|(?: [a-z]+){1,4} (?:n?or|ni))? (?:chest|pecho|pain|dol|due|short|troub|dif)[a-z]*$/;
const isDenied = (tokens, at) => DENIED.test(tokens.slice(0, at + 1).map(({ word }) => word).join(" "));

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
        const calm = () => line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        if (number === undefined || (number === "911" && isDenied(line.tokens, at))) {
          calm();
          continue;
        }
        if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        if (number === MAYBE || number === MENOPAUSE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else line.take(at, end - at);
        if (number === ABUSED) calm();
        if (number) numbers.add(number);
      }
    }
  }
  if (numbers.has(OVERDOSED) && (numbers.has("988") || numbers.has("911"))) return OVERDOSED;
  return [HARM, "988", "911", RAPED, ABUSED, HELP, MENOPAUSE, MAYBE].find((number) => numbers.has(number)) ?? false;
};
