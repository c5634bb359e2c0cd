//! A store that ignores conditions, and what is shown of credentials.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::harness::{command, content, text};

const SECRET: &str = "c2VjcmV0LXRoYXQtaXMtbmV2ZXItc2hvd24";

/// A server that speaks as much of S3 as a publisher asks, and takes each object. Returns its address.
fn careless_store() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut stream = stream;
                loop {
                    let (mut line, mut length) = (String::new(), 0);
                    if reader.read_line(&mut line).unwrap_or_default() == 0 {
                        return;
                    }
                    let method = line.split(' ').next().unwrap().to_owned();
                    loop {
                        let mut field = String::new();
                        reader.read_line(&mut field).unwrap();
                        if field.trim().is_empty() {
                            break;
                        }
                        if let Some(value) = field.to_ascii_lowercase().strip_prefix("content-length:") {
                            length = value.trim().parse().unwrap();
                        }
                    }
                    reader.read_exact(&mut vec![0; length]).unwrap();
                    let (status, body) = match method.as_str() {
                        "PUT" => ("200 OK", ""),
                        "DELETE" => ("204 No Content", ""),
                        _ => (
                            "200 OK",
                            "<?xml version=\"1.0\"?><ListBucketResult><Name>b</Name><KeyCount>0</KeyCount>\
                             <IsTruncated>false</IsTruncated></ListBucketResult>",
                        ),
                    };
                    let head = format!(
                        "HTTP/1.1 {status}\r\nETag: \"1\"\r\nContent-Length: {}\r\nLast-Modified: Sat, 21 Nov 2026 12:00:00 \
                         GMT\r\n\r\n",
                        body.len()
                    );
                    stream.write_all((head + body).as_bytes()).unwrap();
                }
            });
        }
    });
    address
}

#[test]
fn a_store_that_ignores_conditions_is_refused_by_name_and_no_credential_is_shown() {
    let publish = |endpoint: &str| {
        command(&["publish", content().to_str().unwrap(), "s3://larkspur/releases"])
            .env("AWS_ENDPOINT", format!("http://{endpoint}"))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .output()
            .unwrap()
    };
    let refused = publish(&careless_store());
    let printed = format!("{}{}", text(&refused.stdout), text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(2), "{printed}");
    assert!(printed.contains("s3://larkspur/releases ignores the condition"), "{printed}");
    assert!(!printed.contains(SECRET), "{printed}");
}

#[test]
fn a_store_that_does_not_answer_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = command(&["publish", "--list", "s3://larkspur/releases"]);
    command.env("AWS_ENDPOINT", format!("http://{free}")).env("AWS_ALLOW_HTTP", "true");
    let refused =
        command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", SECRET).output().unwrap();
    let printed = format!("{}{}", text(&refused.stdout), text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(2), "{printed}");
    assert!(printed.contains("s3://larkspur/releases/releases: ") && !printed.contains(SECRET), "{printed}");
}
