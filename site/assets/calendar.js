// A reminder to call as a file for a calendar (RFC 5545), and a chosen time as the address of its booking.

import { element } from "./dom.js";

/** Fills in directory.toml's booking-url, a URI template (RFC 6570). */
export const expand = (template, values) =>
  template.replace(/\{([?&]?)([^}]*)\}/g, (_, operator, names) => {
    const texts = names.split(",").map((name) => (operator && `${name}=`) + encodeURIComponent(values[name] ?? ""));
    return operator + texts.join(operator ? "&" : ",");
  });

/** A calendar's time, in UTC. */
const stamp = (moment) => new Date(moment).toISOString().replace(/[-:]|\.\d+/g, "");

/** A line of a calendar file. Lines longer than 75 bytes are folded, between characters. */
const line = (name, value) => {
  const escaped = value.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");
  let [folded, length] = ["", 0];
  for (const character of `${name}:${escaped}`) {
    const bytes = new TextEncoder().encode(character).length;
    if (length + bytes > 75) [folded, length] = [`${folded}\r\n `, 1];
    folded += character;
    length += bytes;
  }
  return `${folded}\r\n`;
};

/** The reminder as a file. It is transparent and tentative, because it isn't a visit and holds no time. */
export const calendar = ({ from, until }, { slot, summary, description, clinic }) =>
  [
    ["BEGIN", "VCALENDAR"], ["VERSION", "2.0"], ["PRODID", `-//${clinic}//Call//EN`], ["BEGIN", "VEVENT"],
    ["UID", `call-${slot.startTime}-${slot.providerSlug}@${location.host}`], ["DTSTAMP", stamp(Date.now())],
    ["DTSTART", stamp(from)], ["DTEND", stamp(until)], ["SUMMARY", summary], ["STATUS", "TENTATIVE"], ["TRANSP", "TRANSPARENT"],
    ["DESCRIPTION", description], ["BEGIN", "VALARM"], ["ACTION", "DISPLAY"], ["DESCRIPTION", summary], ["TRIGGER", "PT0M"],
    ["END", "VALARM"], ["END", "VEVENT"], ["END", "VCALENDAR"],
  ].map(([name, value]) => line(name, value)).join("");

export const download = (text, name) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
