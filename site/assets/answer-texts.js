// The texts of answers and of searches that find no one, with those of all lists.

import { TEXTS as all, tableOf } from "./texts.js";

export const TEXTS = { ...all, ...(await tableOf("-answers")) };
