//! Blocking calls.

use family_api_client::FamilyClient;
use family_api_client::key::KeyMode;

use crate::service::Service;

#[test]
fn blocking_calls_work_from_several_threads() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let service = runtime.block_on(Service::start());
    let client = runtime.block_on(service.client(KeyMode::V1Read));
    for _ in 0..3 {
        assert_eq!(client.profile().get().wait().unwrap().email, "ana@example.org");
    }
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || client.read().notes().wait().unwrap().len())
        })
        .collect();
    assert_eq!(threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>(), 4);
    let unknown = FamilyClient::builder().base_url(&service.url).token("unknown").build().unwrap();
    assert!(unknown.read().notes().wait().unwrap_err().is_unauthorized());
}

#[tokio::test]
async fn a_blocking_call_in_async_code_is_refused() {
    let service = Service::start().await;
    let client = service.client(KeyMode::V1Read).await;
    let refused = client.read().notes().wait().unwrap_err();
    assert!(refused.status().is_none() && refused.to_string().contains("use `.await`"), "{refused}");
    assert_eq!(client.read().notes().await.unwrap().len(), 1);
}
