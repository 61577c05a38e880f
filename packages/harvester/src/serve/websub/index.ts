export { type TakeDelivery, websubRoutes } from "./callback.ts";
export { type Delivered, type SentDelivery, takeDelivery } from "./incoming-delivery.ts";
export { startPublisher } from "./publisher.ts";
export { startSubscriber } from "./subscriber.ts";
