// Adds headers to objects of the bucket. Live's answers have their own.

function handler(event) {
  const headers = event.response.headers;
  if (headers["x-request-id"]) return event.response;
  const uri = event.request.uri.replace(/^\/index\.html$/, "/");
  FACTS.headers.forEach((rule) => {
    const parts = rule[0].split("*");
    if (parts.length > 1 ? uri.startsWith(parts[0]) && uri.endsWith(parts[1]) : uri === parts[0]) rule[1].forEach((field) => { headers[field[0].toLowerCase()] = { value: field[1] }; });
  });
  return event.response;
}
