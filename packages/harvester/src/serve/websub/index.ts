export { type TakeDelivery, websubRoutes } from "./callback.ts";
export { type Delivered, type SentDelivery, takeDelivery } from "./delivery.ts";
export { startPublisher, startSubscriber } from "./hub-requests.ts";
