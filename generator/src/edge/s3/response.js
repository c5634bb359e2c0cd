// Adds headers to objects of the bucket. Live's answers have their own.

function handler(event) {
  const headers = event.response.headers;
  if (headers["x-request-id"]) return event.response;
  FACTS.headers.forEach((rule) => {
    if (event.request.uri.startsWith(rule[0])) rule[1].forEach((field) => { headers[field[0].toLowerCase()] = { value: field[1] }; });
  });
  return event.response;
}
