// The window of a chosen time: what it is, that it isn't booked yet, and how to book it. Nothing is stored or sent.

import { calendar, download, expand } from "./calendar.js";
import { capitalized, clockIn, daysTo, fill, format, ownZone, place } from "./dom.js";
import { bookableFrom, next, reminder } from "./phone.js";
import { dayOf, inWords, planAnswer, whole } from "./profile.js";
import { PROFILE_TEXTS as TEXTS, generic, zoneName } from "./texts.js";

const dialog = document.getElementById("slot");
const { clinic, hours: written } = dialog.dataset;
const hours = written && JSON.parse(written);
const { name } = document.getElementById("profile").dataset;
const { contact } = document.getElementById("times").dataset;
const [copy, remind] = ["slot-copy", "slot-remind"].map((id) => document.getElementById(id));
const [copyText, remindText] = [copy.textContent, remind.textContent];
const book = document.getElementById("slot-book");

/** Whether an opening can still be booked, online or by phone: a patient who waits for the phone must not call after the visit. */
export const canBook = ({ startTime }) => Boolean(book || !hours || !(bookableFrom(hours) > Date.parse(startTime)));
/** The address for booking online, of a visit in a state if no time is chosen; undefined where there is none. */
export const bookOnline = (values) => book && expand(book.dataset.template, values);
const fullDate = format({ weekday: "long", month: "long", day: "numeric" });
const shortTime = format({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const clock = format({ hour: "numeric", minute: "2-digit" });

/** "Phones open tomorrow at 11 AM your time (8 AM Pacific)": the day and the time are the patient's, beside the clinic's where they differ. `isSoon` means that no reminder can ring before the visit. */
const aboutPhones = (found, isSoon) => {
  if (!found) return "";
  const isOwn = clockIn(ownZone, found.from) === clockIn(hours.zone, found.from);
  const inZone = (moment, options, timeZone = ownZone) => format({ timeZone, ...options }).format(moment);
  const hour = (moment, timeZone) => whole(inZone(moment, { timeStyle: "short" }, timeZone).replace(":00", ""));
  const time = (moment) => fill(isOwn ? TEXTS.theirClock : TEXTS.bothClocks, { own: hour(moment), time: hour(moment, hours.zone), zone: hours.name });
  if (found.isOpen) return fill(isSoon ? TEXTS.phonesNow : TEXTS.phonesUntil, { time: time(found.until) });
  const days = daysTo(found.from, ownZone);
  const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  const day = days > 1 ? fill(TEXTS.onDay, { day: inZone(found.from, { weekday: "long" }) }) : relative.format(days, "day");
  return fill(isSoon ? TEXTS.phonesSoon : TEXTS.phonesOpen, { day, time: time(found.from) });
};

/** The same, for those who call without a time. */
export const phonesNext = () => aboutPhones(hours && next(hours));

/** "New York time (Eastern Time) · your time: 7:00 PM", with the viewer's weekday if it is another one. */
const bothZones = (moment) => {
  if (!place) return zoneName(moment);
  const [day, own] = [undefined, ownZone].map((timeZone) => format({ weekday: "long", ...(timeZone && { timeZone }) }).format(moment));
  const time = whole(format({ timeZone: ownZone, hour: "numeric", minute: "2-digit" }).format(moment));
  return fill(TEXTS.yourTime, { zone: zoneName(moment), time: day === own ? time : `${own}, ${time}` });
};

/** Opens the window. `asked` is the visit and the state that were asked for; `opener` gets the focus back. */
export const openSlot = (slot, asked, opener, { isArrival = false } = {}) => {
  const { visit, length, isReserved, state, codes } = asked;
  const set = (id, text) => (document.getElementById(id).textContent = text);
  const moment = new Date(slot.startTime);
  const zone = generic(moment);
  const about = fill(TEXTS.visit, { visit, length });
  const [date, where] = [fullDate.format(moment), fill(TEXTS.mustBe, { state })];
  const isNear = daysTo(moment) < 2;
  const both = bothZones(moment);
  // The date is said once.
  set("slot-title", capitalized(inWords(moment, isNear ? dayOf(moment) : date)).replace(/(?<=\d) (?=[ap])|(?<=\p{L}) (?=\d)/giu, "\u00a0"));
  set("slot-when", capitalized(isNear ? fill(TEXTS.when, { date, zone: both }) : both));
  set("slot-visit", about);
  const phones = hours && next(hours);
  const call = hours && reminder(hours, moment.getTime());
  // A call after the visit helps no one.
  set("slot-phones", phones?.from >= moment ? "" : aboutPhones(phones, !call));
  set("slot-where", where);
  const plan = planAnswer();
  const isUnchecked = !plan && document.querySelector(".choose-plan:not([hidden])");
  document.getElementById("slot-plan").replaceChildren(...(plan?.childNodes ?? [isUnchecked ? TEXTS.planUnchecked : ""]));
  document.getElementById("slot-plan").className = plan?.className ?? "quiet small";
  document.getElementById("slot-reserved").hidden = !isReserved;
  if (book) book.href = bookOnline({ ...slot, ...codes });
  const address = new URL(location.href.split("#")[0]);
  // The person who opens it sees this time.
  for (const [name, value] of Object.entries({ state: codes.state, visit: codes.appointmentType, start: slot.startTime })) address.searchParams.set(name, value);
  const description = fill(TEXTS.details, { name, visit: about, date, time: clock.format(moment), zone: zoneName(moment), state, contact, address });
  copy.textContent = copyText;
  copy.onclick = async () => {
    copy.textContent = await navigator.clipboard.writeText(description).then(() => TEXTS.copied, () => TEXTS.notCopied);
  };
  remind.hidden = !call;
  const summary = fill(TEXTS.event, { clinic, name, zone, time: shortTime.format(moment) });
  remind.textContent = remindText;
  remind.onclick = () => {
    download(calendar(call, { slot, summary, description, clinic }), `call-${slot.providerSlug}.ics`);
    remind.textContent = TEXTS.reminded;
  };
  // The browser's back button closes the window, and Escape and the cross leave no entry behind. From a list, it leads there.
  if (!isArrival) history.pushState({ slot: slot.startTime }, "");
  dialog.onclose = () => {
    if (history.state?.slot) history.back();
    else {
      // A reload doesn't open it again.
      const url = new URL(location.href);
      url.searchParams.delete("start");
      history.replaceState(history.state, "", url);
    }
    opener?.focus();
  };
  dialog.showModal();
};

addEventListener("popstate", () => dialog.open && dialog.close());
