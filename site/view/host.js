// The conversation with the host: JSON-RPC 2.0 in messages between this frame and its parent window. Messages of other
// windows are dropped.

const PATIENCE = 30_000;
const METHOD_NOT_FOUND = -32601;
/** What a host may ask of the view; each is answered by an empty result. */
const ANSWERED = ["ping", "ui/resource-teardown"];

class Host {
  capabilities = {};
  #waiting = new Map();
  #handlers;
  #last = 0;

  /** `handlers` are called with the parameters of the host's messages, by method. */
  constructor(handlers) {
    this.#handlers = new Map(Object.entries(handlers));
    addEventListener("message", ({ source, data }) => {
      if (!this.isAbsent && source === parent && isObject(data) && data.jsonrpc === "2.0") this.#receive(data);
    });
  }

  /** The document was opened by itself. */
  get isAbsent() {
    return parent === window;
  }

  async begin() {
    const about = { appInfo: { name: "nameplate", version: "1.0.0" }, appCapabilities: { availableDisplayModes: ["inline"] }, protocolVersion: "2026-01-26" };
    const { hostCapabilities, hostContext } = await this.request("ui/initialize", about);
    if (isObject(hostCapabilities)) this.capabilities = hostCapabilities;
    this.notify("ui/notifications/initialized", {});
    return hostContext;
  }

  /** Whether the host consents. Of messages and context, it may name the kinds of content that it takes. */
  can(name) {
    const given = this.capabilities[name];
    const isOfText = !["message", "updateModelContext"].includes(name) || Object.keys(given ?? {}).length === 0 || "text" in given;
    return this.isAbsent || (isObject(given) && isOfText);
  }

  notify(method, params) {
    this.#post({ method, params });
  }

  /** Sends a request; its result. It fails if the host refuses or does not answer. */
  request(method, params) {
    if (this.isAbsent) return Promise.reject(new Error("no host"));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => this.#settle(id, {}), PATIENCE);
      this.#waiting.set(id, { resolve, reject, patience });
      this.#post({ id, method, params });
    });
  }

  #post(message) {
    if (!this.isAbsent) parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  #settle(id, { result }) {
    const { resolve, reject, patience } = this.#waiting.get(id) ?? {};
    if (!this.#waiting.delete(id)) return;
    clearTimeout(patience);
    if (isObject(result)) resolve(result);
    else reject(new Error("refused"));
  }

  #receive({ id, method, params, ...answer }) {
    if (typeof method !== "string") {
      this.#settle(id, answer);
      return;
    }
    this.#handlers.get(method)?.(isObject(params) ? params : {});
    if (id === undefined) return;
    this.#post(ANSWERED.includes(method) ? { id, result: {} } : { id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
  }
}
